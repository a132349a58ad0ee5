import type { Runtime } from '../../runtime/index.ts';
import { callMarkdown, callTitle, findCall, type KeptCall } from '../../sessions/markdown/callMarkdown.ts';
import { describeCall } from '../../traces/describeTrace.ts';

type Place = Readonly<Record<string, unknown>>;

/** What the tab of the document is called; undefined where its session holds the call no more. */
export async function nameCall(runtime: Runtime, place: Place): Promise<string | undefined> {
  const found = await find(runtime, place);
  return found === undefined ? undefined : callTitle(found);
}

/** The document of a call; undefined where its session holds it no more. A trace that is gone only leaves out who judged it. */
export async function readCall(runtime: Runtime, place: Place): Promise<string | undefined> {
  const { runId, toolCallId } = place;
  const found = await find(runtime, place);
  if (found === undefined || typeof toolCallId !== 'string') return undefined;
  const trace = typeof runId === 'string' ? await runtime.turns.traces.get(runId) : undefined;
  return callMarkdown(found, trace === undefined ? [] : describeCall(trace, toolCallId));
}

async function find(
  { conversations }: Runtime,
  { sessionId, toolCallId }: Place,
): Promise<KeptCall | undefined> {
  if (typeof sessionId !== 'string' || typeof toolCallId !== 'string') return undefined;
  return findCall((await conversations.sessions.open(sessionId))?.entries() ?? [], toolCallId);
}
