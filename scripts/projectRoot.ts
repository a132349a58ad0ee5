import { join, resolve } from 'node:path';

/** The absolute path of the folder that holds package.json. */
export const projectRoot = resolve(import.meta.dirname, '..');

/** Where test runs leave their results, screenshots and logs; git-ignored. */
export const testResultsDir = join(projectRoot, 'test-results');
