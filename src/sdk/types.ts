/** Every type that a plugin author needs. */
export type * from './types/agentEventTypes.ts';
export type * from './types/cliTypes.ts';
export type * from './types/commandTypes.ts';
export type * from './types/configTypes.ts';
export type * from './types/contextEngineTypes.ts';
export type * from './types/pluginHookTypes.ts';
export type * from './types/listedTypes.ts';
export type * from './types/loggerTypes.ts';
export type * from './types/memoryTypes.ts';
export type * from './types/pluginApi.ts';
export type * from './types/providerTypes.ts';
export type * from './types/runtimeTypes.ts';
export type * from './types/serviceTypes.ts';
export type * from './types/sessionTypes.ts';
export type * from './types/storeTypes.ts';
export type * from './types/toolTypes.ts';
export type * from './types/upstreamNames.ts';
