import type { ExtensionPoint } from '../../dexto/pluginTypes.ts';

/** All four, in the order of a turn. */
export const extensionPoints: readonly ExtensionPoint[] = [
  'beforeLLMRequest',
  'beforeToolCall',
  'afterToolResult',
  'beforeResponse',
];
