/** What `openclaw/plugin-sdk` holds; `sdkModules` says what stands under its subpaths. */
export * from './accountId.ts';
export { buildMemorySystemPromptAddition, delegateCompactionToRuntime } from './contextEngine.ts';
export * from './pluginConfigSchema.ts';
export * from './fetchRuntime.ts';
export * from './hostFunctions.ts';
export * from './models.ts';
export * from './paramReaders.ts';
export * from './pluginConfig.ts';
export { definePluginEntry } from './pluginEntry.ts';
export * from './runtimeStore.ts';
export * from './secretInput.ts';
export * from './textHelpers.ts';
export * from './time.ts';
export * from './toolHelpers.ts';
export * from './toolPlugin.ts';
export type * from './types.ts';
