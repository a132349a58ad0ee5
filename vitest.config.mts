import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * Three layers run under vitest: `unit` (the sources), `package` (what `npm run build` has made, without an editor) and `e2e`
 * (the real workbench, driven by mouse and keyboard).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/fixedSeed.ts'],
          globalSetup: ['test/buildParts.ts'],
          provide: { isThorough: false },
          // Property tests and child processes, on machines that do other work too.
          testTimeout: 20_000,
          hookTimeout: 20_000,
          expect: { poll: { timeout: 10_000 } },
          // By default one core of two stays idle.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          include: [
            'src/**/*.test.ts',
            'plugins/**/*.test.ts',
            'test/bench/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/samples/**/*.test.ts',
            'test/cases/**/*.test.ts',
          ],
          exclude: ['**/fixture/**', '**/node_modules/**'],
        },
      },
      thorough('kill', ['test/samples/{crash,memoryCrash,sessionCrash}/*.test.ts']),
      thorough('soak', ['test/samples/reloads/*.test.ts']),
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});

/** Tests of `unit` that take a sample of moments or rounds there, with all of them. */
function thorough(name: string, include: string[]): TestProjectInlineConfiguration {
  return {
    test: { name, include, setupFiles: ['test/fixedSeed.ts'], provide: { isThorough: true }, maxWorkers: 2 },
  };
}
