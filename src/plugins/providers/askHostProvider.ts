// Threat: a provider answers never, without end, or anything but what was asked for. So it has a time limit, its signal is aborted with
// it, and whatever goes wrong while it answers or while its answer is read is an error with the plugin's name.
import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { copyData } from '../../base/untrusted.ts';
import type { SummaryProvider } from '../../agent/context/writeSummary.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { AskPluginEmbedder } from '../../memory/embeddings/createPluginEmbedder.ts';
import type { WebProvider } from '../../tools/core/web/webToolDeps.ts';
import type { HostProvider } from './pluginProvider.ts';
import { toStreamMessages } from './toStreamContext.ts';

export interface AskHostProviderOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Takes secrets out of what the plugin says. */
  readonly redact: (text: string) => string;
  /** What to do where it fails; the model and the user read it. */
  readonly hint: string;
}

/** Settles with `work`, which asks the provider; its time stands during what it passes to `pause`. @throws PincerError `cancelled`, `plugin_provider_failed` */
export async function askHostProvider<T>(
  { kind, id, pluginId }: { readonly kind: string } & Pick<HostProvider, 'id' | 'pluginId'>,
  { clock, signal, timeoutMs, redact, hint }: AskHostProviderOptions,
  work: (signal: AbortSignal, pause: <R>(hostsWork: () => Promise<R>) => Promise<R>) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const start = () => clock.after(timeoutMs, () => limit.abort());
  let stop = start();
  const pause = async <R>(hostsWork: () => Promise<R>): Promise<R> => {
    stop();
    try {
      return await hostsWork();
    } finally {
      stop = start();
    }
  };
  const both = AbortSignal.any([signal, limit.signal]);
  try {
    return await raceAbort(work(both, pause), both);
  } catch (error) {
    if (signal.aborted) throw cancelledError();
    const reason = limit.signal.aborted
      ? `it did not answer within ${String(timeoutMs / 1_000)} s`
      : inertLine(redact(errorMessage(error)), 300);
    throw new PincerError(
      'plugin_provider_failed',
      `The ${kind} "${id}" of plugin "${pluginId}" failed: ${reason}.`,
      { hint },
    );
  } finally {
    stop();
  }
}

/** A web provider as the web tools ask it: upstream's `createTool` makes a tool, whose `execute` answers. */
export function toWebProvider(
  provider: HostProvider,
  { clock, redact }: Pick<AskHostProviderOptions, 'clock' | 'redact'>,
): WebProvider {
  const { kind, label, pluginId, currentConfig } = provider;
  const [part, key] = kind === 'web search provider' ? ['searchConfig', 'search'] : ['fetchConfig', 'fetch'];
  const hint = `The user can look at the plugin, or change tools.web.${key}.provider. Go on without it.`;
  return {
    label,
    pluginId,
    ask: ({ args, config, read, signal, timeoutMs }) =>
      askHostProvider(provider, { clock, redact, signal, timeoutMs, hint }, async (signal) => {
        const context = { config: currentConfig(), [part]: copyData(config) };
        const tool: unknown = await provider.run(context);
        if (tool == null) throw new Error('it is not set up (createTool gave none); it may lack a key');
        const execute = isRecord(tool) ? tool['execute'] : undefined;
        if (typeof execute !== 'function') throw new Error('createTool gave no tool with a function execute');
        throwIfAborted(signal);
        const answer = await provider.call(
          `a call of the ${kind} ${provider.id}`,
          () =>
            Reflect.apply(execute, tool, [
              copyData(args),
              { signal, assertCurrent: () => throwIfAborted(signal) },
            ]) as unknown,
        );
        return read(answer);
      }),
  };
}

/** A compaction provider as compactions ask it (OpenClaw documentation, Compaction, Pluggable compaction providers). */
export function toSummaryProvider(
  provider: HostProvider,
  { clock, redact }: Pick<AskHostProviderOptions, 'clock' | 'redact'>,
): SummaryProvider {
  const hint = 'Look at the plugin, or change agent.compaction.provider.';
  return {
    summarize: ({ messages, previous, instructions, fits, signal, timeoutMs }) =>
      askHostProvider(provider, { clock, redact, signal, timeoutMs, hint }, async (signal) => {
        const answer = await provider.run({
          messages: redactTexts(toStreamMessages(messages), redact),
          signal,
          // Names, paths and numbers stay exactly as they are, as the model is told to keep them.
          summarizationInstructions: { identifierPolicy: 'strict' },
          ...(instructions === undefined ? {} : { customInstructions: redact(instructions) }),
          ...(previous === undefined ? {} : { previousSummary: redact(previous) }),
        });
        if (typeof answer !== 'string') throw new Error('it gave no text');
        // Measured before anything else reads it: it may have any length.
        if (!fits(answer)) throw new Error('it gave a text too long for a summary');
        const text = redact(answer.trim());
        if (text === '') throw new Error('it gave no text');
        return text;
      }),
  };
}

/** Longest vector that is taken, in numbers. */
const maxDimensions = 16_384;
const embeddingMs = { query: 15_000, passage: 120_000 } as const;

/** Embedding providers as the memory asks them. */
interface PluginEmbedders {
  readonly ask: AskPluginEmbedder;
  /** Closes what a provider made that is no longer loaded. Never rejects. */
  closeStale(): Promise<void>;
  /** Closes whatever was made. Never rejects. */
  close(): Promise<void>;
}

const closeMs = 1_000;

/**
 * Embedding providers as the memory asks them (OpenClaw documentation, Plugin SDK capability registration). `find` gives the one
 * that is loaded now; what its `create` made is kept for as long as that is the same, and its `close` is called then.
 */
export function createPluginEmbedders(
  find: (id: string) => HostProvider | undefined,
  { clock, redact, log }: Pick<AskHostProviderOptions, 'clock' | 'redact'> & { readonly log: Log },
): PluginEmbedders {
  const hint = 'Look at the plugin, or change memory.provider.';
  let made: { readonly of: HostProvider; readonly model: string; readonly provider: unknown } | undefined;

  const close = async (): Promise<void> => {
    const closing = made;
    made = undefined;
    if (closing === undefined) return;
    const { of, provider } = closing;
    const { signal } = new AbortController();
    try {
      await askHostProvider(of, { clock, redact, signal, timeoutMs: closeMs, hint }, async () => {
        const end = isRecord(provider) ? provider['close'] : undefined;
        if (typeof end !== 'function') return;
        await of.call(`closing the ${of.kind} ${of.id}`, () => Reflect.apply(end, provider, []) as unknown);
      });
    } catch (error) {
      log.write('warn', errorMessage(error));
    }
  };

  const create = async (provider: HostProvider, model: string): Promise<unknown> => {
    if (made?.of.run === provider.run && made.model === model) return made.provider;
    const result: unknown = await provider.run({
      config: provider.currentConfig(),
      provider: provider.id,
      model,
    });
    const created: unknown = isRecord(result) ? result['provider'] : undefined;
    if (created == null) throw new Error('it is not set up (create gave no provider); it may lack a key');
    await close();
    made = { of: provider, model, provider: created };
    return created;
  };

  const ask: AskPluginEmbedder = async ({ provider: named, texts, use }, signal) => {
    const provider = find(named.id);
    if (provider?.pluginId !== named.pluginId)
      throw new PincerError('plugin_provider_failed', `The plugin "${named.pluginId}" is not loaded.`, {
        hint,
      });
    const options = { clock, redact, signal, timeoutMs: embeddingMs[use], hint };
    return await askHostProvider(provider, options, async (signal) => {
      const embedder = await create(provider, named.model);
      const embedBatch = isRecord(embedder) ? embedder['embedBatch'] : undefined;
      if (typeof embedBatch !== 'function') throw new Error('what create gave has no function embedBatch');
      throwIfAborted(signal);
      const inputType = use === 'query' ? 'query' : 'document';
      const answer = await provider.call(
        `a call of the ${provider.kind} ${provider.id}`,
        () =>
          Reflect.apply(embedBatch, embedder, [
            texts.map((text) => ({ text })),
            { signal, inputType },
          ]) as unknown,
      );
      return copyVectors(answer, texts.length);
    });
  };

  return {
    ask,
    async closeStale() {
      if (made !== undefined && find(made.of.id)?.run !== made.of.run) await close();
    },
    close,
  };
}

/** Copies of the numbers, so that nothing else of the plugin's answer goes on; the memory checks them as those of every provider. */
function copyVectors(answer: unknown, count: number): readonly (readonly number[])[] {
  if (!Array.isArray(answer)) throw new Error('it gave no list of embeddings');
  if (answer.length !== count)
    throw new Error(`it gave ${String(answer.length)} embeddings for ${String(count)} texts`);
  return Array.from({ length: count }, (_, at): readonly number[] => {
    const vector: unknown = answer[at];
    if (!Array.isArray(vector) && !(vector instanceof Float32Array) && !(vector instanceof Float64Array))
      throw new Error('it gave an embedding that is no list of numbers');
    if (vector.length === 0 || vector.length > maxDimensions)
      throw new Error(`it gave an embedding of ${String(vector.length)} numbers`);
    return Array.from({ length: vector.length }, (_, place) => {
      const number: unknown = vector[place];
      if (typeof number !== 'number') throw new Error('it gave an embedding that is no list of numbers');
      return number;
    });
  });
}

/** A copy of plain data with `redact` applied to each of its texts. */
export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactTexts(each, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactTexts(each, redact)]));
}
