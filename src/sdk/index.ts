/** What `openclaw/plugin-sdk` holds. */
export { definePluginEntry, emptyPluginConfigSchema } from './pluginEntry.ts';
export { readNumberParam, readStringArrayParam, readStringParam } from './paramReaders.ts';
export { jsonResult, optionalStringEnum, stringEnum, textResult } from './toolHelpers.ts';
export type * from './types.ts';
