/** What a front end loads lazily, in one bundle. */
export { hookCatalog, hookNames } from '../hooks/hookCatalog.ts';
export { createNodeHost } from '../host/node/createNodeHost.ts';
export * from '../plugins/inspect/index.ts';
export { builtIns } from '../dexto/builtins/builtIns.ts';
export { bundleAgent } from '../dexto/bundle/bundleAgent.ts';
export { compileFolder } from '../dexto/bundle/compileFolder.ts';
export { environmentMcpToken, environmentToken } from '../gateway/gatewayToken.ts';
export { httpStatusOfError } from '../dexto/httpStatus.ts';
export { describeTrace } from '../traces/describeTrace.ts';
export { manifestJsonSchema } from '../plugins/manifest/manifestJsonSchema.ts';
export { createReplayModel } from '../models/replay/createReplayModel.ts';
export { createRuntime } from './createRuntime.ts';
export { createRipgrep } from '../tools/core/createRipgrep.ts';
export type { AddModelsInput } from './addModels.ts';
export type { KeyInput, ServerInput } from './serverInput.ts';
export type { ListedModel } from '../models/library/readModelList.ts';
export { testModel } from './testModel.ts';
export type { Runtime, RuntimeInput, WantedSecret } from './runtime.ts';
