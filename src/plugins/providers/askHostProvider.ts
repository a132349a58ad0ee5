// Threat: a provider answers never, without end, or anything but what was asked for. So it has a time limit, its signal is aborted with
// it, and whatever goes wrong while it answers or while its answer is read is an error with the plugin's name.
import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { copyData } from '../../base/untrusted.ts';
import type { Clock } from '../../host/ports.ts';
import type { WebProvider } from '../../tools/core/web/webToolDeps.ts';
import type { HostProvider } from './pluginProvider.ts';

export interface AskHostProviderOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Takes secrets out of what the plugin says. */
  readonly redact: (text: string) => string;
  /** What to do where it fails; the model and the user read it. */
  readonly hint: string;
}

/** Settles with `work`, which asks the provider. @throws PincerError `cancelled`, `plugin_provider_failed` */
export async function askHostProvider<T>(
  { kind, id, pluginId }: HostProvider,
  { clock, signal, timeoutMs, redact, hint }: AskHostProviderOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stop = clock.after(timeoutMs, () => limit.abort());
  const both = AbortSignal.any([signal, limit.signal]);
  try {
    return await raceAbort(work(both), both);
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
