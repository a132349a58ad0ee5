import type { CompactResult, ContextEngine, MemoryPromptSectionParams } from './types.ts';

/** Under this key the parameters of `compact` hold the host's own compaction; it stays with copies of them. */
export const runtimeCompaction: unique symbol = Symbol('compaction by the host');

/**
 * For the `compact` of a context engine that leaves the compaction to the host. Takes its parameters, or a copy of them.
 * @throws Error for anything else
 */
export async function delegateCompactionToRuntime(
  params: Parameters<ContextEngine['compact']>[0],
): Promise<CompactResult> {
  const compact = (params as { readonly [runtimeCompaction]?: unknown })[runtimeCompaction];
  if (typeof compact !== 'function')
    throw new Error('delegateCompactionToRuntime takes the parameters of the compact of a context engine');
  return (await Reflect.apply(compact, undefined, [])) as CompactResult;
}

/** Nothing: what the plugin in the memory slot says stands in the system prompt, whatever engine there is. */
export function buildMemorySystemPromptAddition(_params: MemoryPromptSectionParams): string | undefined {
  return undefined;
}
