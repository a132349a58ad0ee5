import { createSerialQueue, type SerialQueue } from '../base/createSerialQueue.ts';
import type { AgentEvent, EventOf } from '../contracts/agentEvent.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { askInTerminal, type Terminal } from './askInTerminal.ts';
import { askServerQuestions } from './askServerQuestions.ts';
import { toErrorText, type Output } from './output.ts';
import { toProblem } from './toProblem.ts';

interface ApproverParts extends Pick<Output, 'err'> {
  /** The person pressed Ctrl-C at a question. */
  readonly interrupt: () => void;
  /** Shared by all questions of a terminal: two at the same time would read the same line, and a yes to one be a yes to all. */
  readonly inTurn?: SerialQueue;
}

/** A question is asked, or was answered elsewhere. */
type Question = Pick<EventOf<'approval_requested' | 'approval_resolved'>, 'type' | 'request'>;

/** Passes questions on to the person at the terminal; the runtime asks only where there is one. Gets each event of a turn. */
export function createApprover(
  { approvals, conversations, mcp }: Pick<Runtime, 'approvals' | 'conversations' | 'mcp'>,
  terminal: Terminal,
  { interrupt, err, inTurn = createSerialQueue() }: ApproverParts,
): (event: AgentEvent | Question) => void {
  const askOfServers = askServerQuestions(terminal);
  if (askOfServers !== undefined) mcp.askBy(askOfServers);
  const open = new Map<string, AbortController>();
  const ask = async (request: ApprovalRequest, takenBack: AbortSignal): Promise<void> => {
    const answer = await askInTerminal(request, terminal, takenBack);
    if (answer === undefined) return;
    if (answer === 'interrupted') interrupt();
    // Words deny what waits of the session, and the agent that asks reads them next. In a job they answer this call alone.
    else if (typeof answer === 'object' && request.isUnattended !== true)
      await conversations.inbox.add(request.sessionId, 'steer', answer.words);
    else {
      const [decision, words] = typeof answer === 'object' ? (['deny', answer.words] as const) : [answer, ''];
      // It is asked for a yes only once all was shown.
      approvals.noteShownWhole(request.id, 'terminal');
      const resolved = approvals.resolve(request.id, decision, 'terminal', { words });
      if (!resolved.ok) throw resolved.error;
    }
  };
  return (event) => {
    if (event.type === 'approval_resolved') open.get(event.request.id)?.abort();
    if (event.type !== 'approval_requested') return;
    const { request } = event;
    const takeBack = new AbortController();
    open.set(request.id, takeBack);
    inTurn(() => ask(request, takeBack.signal)).catch((error: unknown) => err(toErrorText(toProblem(error))));
  };
}
