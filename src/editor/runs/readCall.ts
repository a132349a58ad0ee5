import type { Runtime } from '../../runtime/index.ts';
import { callMarkdown, findCall } from '../../sessions/markdown/callMarkdown.ts';
import { describeCall } from '../../traces/describeTrace.ts';

/** The document of a call; undefined where its session holds it no more. A trace that is gone only leaves out who judged it. */
export async function readCall(
  { sessions, traces }: Runtime,
  { sessionId, runId, toolCallId }: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (typeof sessionId !== 'string' || typeof toolCallId !== 'string') return undefined;
  const found = findCall((await sessions.open(sessionId))?.entries() ?? [], toolCallId);
  if (found === undefined) return undefined;
  const trace = typeof runId === 'string' ? await traces.get(runId) : undefined;
  return callMarkdown(found, trace === undefined ? [] : describeCall(trace, toolCallId));
}
