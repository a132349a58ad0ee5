import { PincerError } from '../../../base/errors.ts';
import type { EmbeddedResult, EmbeddedRun } from '../../../agents/createEmbeddedAgents.ts';

type Plain = Readonly<Record<string, unknown>>;

/** A run's end in upstream's shape: what it says, and what it took. Pure. */
export function embeddedResult({ session, runId }: EmbeddedRun, result: EmbeddedResult): Plain {
  const { outcome, durationMs, model, usage } = result;
  const error = errorOf(result);
  const text = 'text' in outcome ? outcome.text : '';
  return {
    payloads: error === undefined ? (text === '' ? [] : [{ text }]) : [{ text: error, isError: true }],
    meta: {
      durationMs,
      runId,
      ...(outcome.status === 'cancelled' ? { aborted: true } : {}),
      ...(error === undefined ? {} : { error: { kind: kindOf(result), message: error } }),
      agentMeta: {
        sessionId: session.id,
        sessionKey: session.key,
        provider: model.provider,
        model: model.model,
        ...(usage === undefined
          ? {}
          : {
              usage: {
                input: usage.input,
                output: usage.output,
                cacheRead: usage.cacheRead,
                cacheWrite: usage.cacheWrite,
                total: usage.input + usage.output,
              },
            }),
      },
    },
  };
}

/** What it said in the end. @throws PincerError `plugin_agent_failed` where it did not get that far */
export function completedText(result: EmbeddedResult): string {
  const error = errorOf(result);
  if (error !== undefined) throw new PincerError('plugin_agent_failed', error);
  return 'text' in result.outcome ? result.outcome.text : '';
}

/** What `waitForRun` says of a run that has ended. Pure. */
export function waitResult(result: EmbeddedResult): Plain {
  const error = errorOf(result);
  if (error === undefined) return { status: 'ok' };
  return result.isTimeout ? { status: 'timeout', error } : { status: 'error', error };
}

function errorOf({ outcome, isTimeout }: EmbeddedResult): string | undefined {
  switch (outcome.status) {
    case 'completed':
      return undefined;
    case 'blocked':
      return outcome.text;
    case 'failed':
      return outcome.message;
    case 'cancelled':
    case 'yielded':
      return isTimeout ? 'It took longer than its timeoutMs.' : 'It was cancelled.';
  }
}

function kindOf({ outcome, isTimeout }: EmbeddedResult): string {
  if (isTimeout) return 'timeout';
  return outcome.status === 'failed' ? outcome.code : outcome.status;
}
