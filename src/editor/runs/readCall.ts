import type { Runtime } from '../../runtime/index.ts';
import { callMarkdown, callTitle, findCall, type StoredCall } from '../../sessions/markdown/callMarkdown.ts';
import { describeCall } from '../../traces/describeTrace.ts';

/** What of the runtime keeps calls. */
interface CallStores {
  readonly conversations: {
    readonly sessions: Pick<Runtime['conversations']['sessions'], 'open'>;
    readonly readWhole: Runtime['conversations']['readWhole'];
  };
  readonly turns: { readonly traces: Pick<Runtime['turns']['traces'], 'get'> };
}

type CallAddress = Readonly<Record<string, unknown>>;

/** What the tab of the document is called; undefined where its session holds the call no more. */
export async function nameCall(
  runtime: Pick<CallStores, 'conversations'>,
  place: CallAddress,
): Promise<string | undefined> {
  const found = await find(runtime, place);
  return found === undefined ? undefined : callTitle(found);
}

/** The document of a call; undefined where its session holds it no more. A trace that is gone only leaves out who judged it. */
export async function readCall(runtime: CallStores, place: CallAddress): Promise<string | undefined> {
  const { runId, toolCallId } = place;
  const found = await find(runtime, place);
  if (found === undefined || typeof toolCallId !== 'string') return undefined;
  const trace = typeof runId === 'string' ? await runtime.turns.traces.get(runId) : undefined;
  return callMarkdown(found, trace === undefined ? [] : describeCall(trace, toolCallId));
}

async function find(
  { conversations }: Pick<CallStores, 'conversations'>,
  { sessionId, toolCallId }: CallAddress,
): Promise<StoredCall | undefined> {
  if (typeof sessionId !== 'string' || typeof toolCallId !== 'string') return undefined;
  const session = await conversations.sessions.open(sessionId);
  if (session === undefined) return undefined;
  // A compaction takes the parameters and the result out of memory, not out of the file.
  return findCall(session.isNew ? [] : await conversations.readWhole(sessionId), toolCallId);
}
