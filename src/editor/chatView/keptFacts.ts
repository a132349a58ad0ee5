import { errorMessage } from '../../base/errors.ts';
import type { CheckpointTurn } from '../../checkpoints/checkpoints.ts';
import type { StoredFacts } from '../../gateway/chatPage/chatItems.ts';
import type { ChatItem } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { StoredCall } from '../../sessions/markdown/callMarkdown.ts';
import type { Session } from '../../sessions/session.ts';
import { labelOfCall } from '../../tools/createToolPipeline.ts';
import { knownFacts } from '../../traces/knownFacts.ts';
import type { RunTrace } from '../../traces/runTrace.ts';
import { jobOf } from './followJobs.ts';
import { checkpointLinks, noteOfChange } from '../chat/runNotes.ts';
import { stepOf } from '../chat/stepTexts.ts';

type KeptStep = ReturnType<StoredFacts['ofCall']>;

/** What traces and checkpoints know of a session's turns. `failed`: they could not be read, and the transcript has to do. */
export async function readKeptFacts(
  { turns, tools, workspace, conversations }: Runtime,
  session: Session,
  failed: (why: string) => void,
): Promise<StoredFacts> {
  const orNone = (error: unknown): readonly never[] => {
    failed(errorMessage(error));
    return [];
  };
  const [traces, changed] = await Promise.all([
    turns.traces.list().catch(orNone),
    // A fork has turns of the session that it comes from.
    turns.checkpoints.list().catch(orNone),
  ]);
  const traceOf = new Map(traces.map((trace) => [trace.runId, trace]));
  const catalog = tools.catalogFor(session);
  const layout = { roots: workspace.folders(), platform: process.platform };
  return {
    ofCall(kept, runId) {
      const tool = catalog.find(kept.call.name);
      const started = labelOfCall(kept.call, tool, layout);
      // Its turn goes on: the call runs, or waits for a yes.
      const isOpen =
        traceOf.get(runId)?.durationMs === undefined && conversations.running(session.id) !== undefined;
      if (kept.result === undefined && isOpen) return { state: 'running', title: started.label, facts: [] };
      return planKeptStep(kept, started, traceOf.get(runId), tool?.owner.kind === 'core');
    },
    underTurn: (runId) => changed.filter(({ id }) => id === runId).flatMap(itemsOfChanges),
  };
}

/** The step of a call as it was shown while its turn ran, as far as that is known. `isOwn`: of a tool of the program itself. Pure. */
function planKeptStep(
  { call, result }: StoredCall,
  started: { readonly label: string; readonly target: string },
  trace: RunTrace | undefined,
  isOwn: boolean,
): KeptStep {
  const { label } = started;
  const known = knownFacts(trace, call.id, isOwn);
  if (known === undefined) return { state: 'kept', title: label, facts: [] };
  if (result === undefined) return { state: 'stopped', title: label, facts: [] };
  const facts = known === 'details' ? result.details : undefined;
  const { icon, title, facts: told } = stepOf({ call, result, facts }, started);
  const state = icon === undefined ? 'done' : icon === 'error' ? 'failed' : 'stopped';
  const job = jobOf(call.name, facts);
  return { state: job.job === undefined ? state : 'running', title, facts: told, ...job };
}

function itemsOfChanges({ id, kind, files }: CheckpointTurn): readonly ChatItem[] {
  if (kind !== 'turn' || files.length === 0) return [];
  const notes = files.map(({ path, status }) => noteOfChange({ file: path, status }));
  return [...notes, { icon: 'history', text: checkpointLinks(id) }].map(
    ({ icon, text, ...file }, at): ChatItem => ({
      ...{ kind: 'note', id: `${id}:${String(at)}`, icon, markdown: text },
      ...file,
    }),
  );
}
