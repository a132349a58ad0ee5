import { defineConfig } from 'vitest/config';

/** Two layers run under vitest: `unit` (no editor) and `e2e` (the real workbench, driven by mouse and keyboard). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'plugins/**/*.test.ts', 'scripts/**/*.test.ts', 'test/samples/**/*.test.ts', 'test/package/**/*.test.ts'],
          exclude: ['**/fixture/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
