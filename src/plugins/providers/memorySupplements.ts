// Threat: what a supplement says goes into prompts, what it finds into results, and the plugin may answer anything, never, or without end.
// So each answer has a time limit, is read once and cut, and whatever goes wrong is named with the plugin; the others go on without it.
import { throwIfAborted } from '../../base/abort.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FoundInSupplement, MemorySupplements } from '../../tools/core/memory/memoryToolDeps.ts';
import { askHostProvider, type AskHostProviderOptions } from './askHostProvider.ts';
import {
  promptOf,
  readLines,
  sectionParams,
  type MemoryPrompt,
  type MemoryPromptRequest,
} from './memoryCapability.ts';

type SupplementFunction = (params: object) => unknown;

/** What any plugin adds beside the memory (OpenClaw documentation, Plugin SDK capability registration). What its functions give is anything. */
export type MemorySupplementRegistration =
  | {
      readonly kind: 'memory prompt supplement';
      readonly id: 'lines' | 'prepared lines';
      /** Lines for the system prompt, at once or as a promise. */
      readonly lines: SupplementFunction;
    }
  | {
      readonly kind: 'memory corpus supplement';
      readonly id: 'corpus';
      readonly search: SupplementFunction;
      readonly get: SupplementFunction;
    };

/** Those of loaded plugins. */
export type MemorySupplement = MemorySupplementRegistration & { readonly pluginId: string };

type AskOptions = Pick<AskHostProviderOptions, 'clock' | 'redact'>;

/** A turn waits for its prompt. */
const promptMs = 3_000;
const corpusMs = 15_000;
const maxHits = 20;
const maxSnippet = 700;
const maxText = 200_000;
const hint = 'Look at the plugin, or disable it.';

/** What supplements add to the system prompt, each with its plugin, in the order of their registration. Never rejects. */
export async function supplementPrompts(
  supplements: readonly MemorySupplement[],
  request: MemoryPromptRequest,
  { report, ...options }: AskOptions & { readonly report: (diagnostic: Diagnostic) => void },
): Promise<readonly MemoryPrompt[]> {
  const { signal } = new AbortController();
  const ask = async (supplement: MemorySupplement): Promise<readonly MemoryPrompt[]> => {
    if (supplement.kind !== 'memory prompt supplement') return [];
    const { pluginId, id } = supplement;
    const provider = { kind: supplement.kind, id, pluginId };
    try {
      const lines = await askHostProvider(
        provider,
        { ...options, signal, timeoutMs: promptMs, hint },
        async () => readLines(await supplement.lines(sectionParams(request))),
      );
      const prompt = promptOf(pluginId, lines);
      return prompt === undefined ? [] : [prompt];
    } catch (error) {
      const message = `${inertLine(errorMessage(error), 400)} The prompt is built without it.`;
      report({ level: 'warn', code: 'memory_supplement_failed', message, pluginId, hint });
      return [];
    }
  };
  return (await Promise.all(supplements.map(ask))).flat();
}

/** Corpora of plugins as the memory tools ask them; undefined where no plugin has brought one. */
export function toMemorySupplements(
  supplements: readonly MemorySupplement[],
  { clock, redact }: AskOptions,
): MemorySupplements | undefined {
  const corpora = supplements.flatMap((each) => (each.kind === 'memory corpus supplement' ? [each] : []));
  if (corpora.length === 0) return undefined;
  const ask = async <T>(
    { kind, id, pluginId }: MemorySupplement,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> =>
    await askHostProvider({ kind, id, pluginId }, { clock, redact, signal, timeoutMs: corpusMs, hint }, work);
  return {
    async search({ query, agentId, sessionKey, maxResults }, signal) {
      const settled = await Promise.allSettled(
        corpora.map((corpus) =>
          ask(corpus, signal, async () =>
            readHits(
              await corpus.search({
                query: redact(query),
                agentId,
                agentSessionKey: sessionKey,
                ...(maxResults === undefined ? {} : { maxResults }),
              }),
              corpus.pluginId,
              redact,
            ),
          ),
        ),
      );
      const hits = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      return {
        hits: hits.toSorted((a, b) => b.score - a.score),
        problems: settled.flatMap((each) => (each.status === 'rejected' ? [errorMessage(each.reason)] : [])),
      };
    },
    async read({ path, from, lines, agentId, sessionKey }, signal) {
      const failures: unknown[] = [];
      for (const corpus of corpora) {
        const text = await ask(corpus, signal, async () => {
          const given = await corpus.get({
            lookup: path,
            fromLine: from,
            lineCount: lines,
            agentId,
            agentSessionKey: sessionKey,
          });
          if (given == null) return undefined;
          const content = isRecord(given) ? given['content'] : undefined;
          if (typeof content !== 'string') throw new Error('get gave no content');
          return redact(content.slice(0, maxText));
        }).catch((error: unknown) => {
          failures.push(error);
          return undefined;
        });
        throwIfAborted(signal);
        if (text !== undefined) return text;
      }
      if (failures.length > 0) throw failures[0];
      return undefined;
    },
  };
}

function readHits(
  answer: unknown,
  pluginId: string,
  redact: (text: string) => string,
): readonly FoundInSupplement[] {
  if (!Array.isArray(answer)) throw new Error('search gave no list of results');
  return Array.from({ length: Math.min(answer.length, maxHits) }, (_, at) => {
    const hit: unknown = answer[at];
    if (!isRecord(hit)) throw new Error('search gave a result that is no object');
    const { corpus, path, title, score, snippet, startLine, endLine, citation } = hit;
    if (typeof path !== 'string' || typeof snippet !== 'string')
      throw new Error('search gave a result without path or snippet');
    const short = (name: string, value: unknown): Readonly<Record<string, string>> =>
      typeof value === 'string' && value !== '' ? { [name]: redact(value.slice(0, 1_000)) } : {};
    const line = (name: string, value: unknown): Readonly<Record<string, number>> =>
      typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {};
    return {
      corpus: typeof corpus === 'string' && corpus !== '' ? redact(corpus.slice(0, 100)) : pluginId,
      path: redact(path.slice(0, 1_000)),
      ...short('title', title),
      ...line('startLine', startLine),
      ...line('endLine', endLine),
      score: typeof score === 'number' && Number.isFinite(score) ? Math.round(score * 1_000) / 1_000 : 0,
      snippet: redact(snippet.slice(0, maxSnippet)),
      ...short('citation', citation),
    };
  });
}
