// Threat: what a plugin's memory finds is read by the model, and the plugin may give anything, never, or without end. So it has a time
// limit, each field is read once and cut, passages of sessions count only where the plugin has authorized them, and the tools tell the
// model that what they quote is data.
import { throwIfAborted } from '../../base/abort.ts';
import { isRecord } from '../../base/json.ts';
import type { PluginMemory, PluginPassage, PluginSearch } from '../../tools/core/memory/memoryToolDeps.ts';
import { askHostProvider, type AskHostProviderOptions } from './askHostProvider.ts';
import type { MemoryCapability } from './memoryCapability.ts';

const timeoutMs = 30_000;
const maxHits = 50;
const maxSnippet = 700;
const maxText = 200_000;

type MemoryCall = (name: string, ...args: readonly unknown[]) => Promise<unknown>;

/** The memory of the plugin in the memory slot, as the memory tools ask it; undefined where it brings none (OpenClaw documentation, Memory and context slots). */
export function toPluginMemory(
  { pluginId, runtime, call, currentConfig }: MemoryCapability,
  { clock, redact }: Pick<AskHostProviderOptions, 'clock' | 'redact'>,
): PluginMemory | undefined {
  if (runtime === undefined) return undefined;
  const hint = 'The user can look at the plugin, or change plugins.slots.memory. Go on without it.';
  const provider = { kind: 'memory runtime', id: pluginId, pluginId };

  /** What the plugin gives as the manager, asked for by the name of its method. */
  const withManager = async <T>(
    agentId: string,
    signal: AbortSignal,
    work: (ask: MemoryCall, signal: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    await askHostProvider(provider, { clock, redact, signal, timeoutMs, hint }, async (signal) => {
      const given = await runtime.getMemorySearchManager({
        cfg: currentConfig(),
        agentId,
        purpose: 'default',
      });
      const { manager, error } = isRecord(given) ? given : {};
      if (!isRecord(manager)) {
        throw new Error(typeof error === 'string' && error !== '' ? error : 'it gave no search manager');
      }
      throwIfAborted(signal);
      const ask: MemoryCall = async (name, ...args) => {
        const method = manager[name];
        if (typeof method !== 'function') throw new Error(`its search manager has no function ${name}`);
        return await call(
          `${name} of the memory's search manager`,
          () => Reflect.apply(method, manager, args) as unknown,
        );
      };
      return await work(ask, signal);
    });

  /** Without a word of the plugin's nothing of another conversation is shown (upstream). */
  const authorized = async (hits: readonly PluginPassage[], search: PluginSearch): Promise<unknown> => {
    const { agentId, sessionKey } = search;
    if (!hits.some(({ source }) => source === 'sessions')) return hits;
    if (runtime.authorizeSearchHits === undefined) return hits.filter(({ source }) => source !== 'sessions');
    return await runtime.authorizeSearchHits({
      cfg: currentConfig(),
      agentId,
      requesterSessionKey: sessionKey,
      sandboxed: false,
      hits: hits.map((hit) => ({ ...hit })),
    });
  };

  return {
    pluginId,
    search: (search, signal) =>
      withManager(search.agentId, signal, async (ask, signal) => {
        const { query, agentId: _agentId, ...options } = search;
        const found = readHits(await ask('search', redact(query), { ...options, signal }), redact);
        return readHits(await authorized(found, search), redact);
      }),
    read: ({ path, agentId, ...page }, signal) =>
      withManager(agentId, signal, async (ask) => {
        const answer = await ask('readFile', { relPath: path, ...page });
        const { text } = isRecord(answer) ? answer : {};
        if (typeof text !== 'string') throw new Error('readFile gave no text');
        return redact(text.slice(0, maxText));
      }),
  };
}

function readHits(answer: unknown, redact: (text: string) => string): readonly PluginPassage[] {
  if (!Array.isArray(answer)) throw new Error('it gave no list of results');
  return Array.from({ length: Math.min(answer.length, maxHits) }, (_, at) =>
    readHit(answer[at] as unknown, redact),
  );
}

function readHit(hit: unknown, redact: (text: string) => string): PluginPassage {
  if (!isRecord(hit)) throw new Error('it gave a result that is no object');
  const { path, startLine, endLine, score, snippet, source, citation } = hit;
  if (typeof path !== 'string' || typeof snippet !== 'string')
    throw new Error('it gave a result without path or snippet');
  const line = (value: unknown): number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 1;
  return {
    path: redact(path.slice(0, 1_000)),
    startLine: line(startLine),
    endLine: line(endLine),
    score: typeof score === 'number' && Number.isFinite(score) ? Math.round(score * 1_000) / 1_000 : 0,
    snippet: redact(snippet.slice(0, maxSnippet)),
    source: source === 'sessions' ? 'sessions' : 'memory',
    ...(typeof citation === 'string' ? { citation: redact(citation.slice(0, 1_000)) } : {}),
  };
}
