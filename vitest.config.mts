import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * The layers that run under vitest: `unit` (the sources), `package` (what `npm run build` has made, without an editor) and `e2e`
 * (the real workbench, driven by mouse and keyboard); on demand also `kill`, `damage`, `soak` and `flows`.
 */
export default defineConfig({
  test: {
    // Goldens (`test/builders/goldenTurn.ts`) lie in a folder of their own: the folders of samples hold samples alone.
    resolveSnapshotPath: (file, extension) =>
      join(import.meta.dirname, 'test/goldens', `${relative(import.meta.dirname, file)}${extension}`),
    // A worker of `e2e` ends its server and its browser then, which takes its time on a busy machine.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          // What the host gives plugins, for those of `plugins/`.
          alias: {
            'openclaw/plugin-sdk': join(import.meta.dirname, 'src/plugins/openclaw/sdkRuntime.ts'),
          },
          setupFiles: ['test/fixedSeed.ts'],
          globalSetup: ['test/buildParts.ts'],
          provide: { isThorough: false },
          // Property tests and child processes, on machines that do other work too: only what never ends fails.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 120_000 } },
          // A process of its own for each file would take half as long again: no test may leave anything to the next file.
          isolate: false,
          // V8 13.6 now and then ends the process where it frees WebAssembly code of threads that ended
          // ("jit_page_->allocations_.erase(addr) == 1"), and the tests end many threads with a database.
          execArgv: ['--no-wasm-code-gc'],
          // Twice the cores of a small machine: a worker waits for processes and timers more than half of its time.
          maxWorkers: Math.max(4, availableParallelism() - 1),
          include: [
            'src/**/*.test.ts',
            'plugins/**/*.test.ts',
            'test/bench/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/samples/**/*.test.ts',
            'test/cases/**/*.test.ts',
            'test/e2e/driver/*.test.ts',
          ],
          exclude: ['**/fixture/**', '**/node_modules/**'],
        },
      },
      thorough('kill', [
        'test/samples/{crash,memoryCrash,sessionCrash,scheduleCrash,channelCrash}/*.test.ts',
      ]),
      thorough('damage', ['test/samples/damage/*.test.ts']),
      thorough('soak', ['test/samples/reloads/*.test.ts']),
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          // As many as the unit tests have: their processes start, wait and end.
          maxWorkers: Math.max(4, availableParallelism() - 1),
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 120_000 } },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/*.test.ts'],
          // Each worker has one server and one browser, which all of its files share. Two leave a third of two cores idle: a window
          // waits for the panel, a file event or a timer.
          isolate: false,
          maxWorkers: 3,
          // Each wait has a limit of its own: together they may take long on a machine that does other work.
          testTimeout: 900_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 120_000 } },
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/*.test.ts'],
          isolate: false,
          // One window at a time: their seconds count.
          maxWorkers: 1,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 120_000 } },
        },
      },
    ],
  },
});

/** Tests of `unit` that take a sample of moments or rounds there, with all of them. */
function thorough(name: string, include: string[]): TestProjectInlineConfiguration {
  return {
    test: {
      ...{ name, include, setupFiles: ['test/fixedSeed.ts'], provide: { isThorough: true }, maxWorkers: 2 },
      globalSetup: ['test/buildParts.ts'],
      ...{ testTimeout: 600_000, hookTimeout: 60_000, expect: { poll: { timeout: 120_000 } } },
    },
  };
}
