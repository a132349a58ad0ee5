/** What a front end loads lazily, in one bundle. */
export { createNodeHost } from '../host/node/createNodeHost.ts';
export { createDiskFiles } from '../tools/createDiskFiles.ts';
export { createRuntime } from './createRuntime.ts';
export type { Runtime, RuntimeInput } from './runtime.ts';
