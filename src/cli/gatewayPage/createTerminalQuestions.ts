// Threat: as for the page that VS Code serves: whoever was let in allows what it did not see, or for longer than once. A call is allowed
// there once, and only where the page has shown all of it.
import { fullCall, withoutParams } from '../../approvals/fullCall.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import { isAskedIn } from '../../gateway/chatPage/chatScreen.ts';
import type { PageQuestions } from '../../gateway/chatPage/createShownConversation.ts';
import type { QuestionItem } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Runtime } from '../../runtime/index.ts';
import { codeBlock } from '../../sessions/markdown/codeBlock.ts';

/** What a question may hold to be allowed from the page. Characters. */
const maxCall = 6_000;

interface QuestionsParts {
  readonly runtime: Pick<Runtime, 'approvals' | 'conversations'>;
  readonly items: ChatItems;
  readonly sessionId: () => string | undefined;
}

/** What waits in the session of the page and in those of the agents that it has started. */
export function createTerminalQuestions({ runtime, items, sessionId }: QuestionsParts): PageQuestions {
  const { approvals, conversations } = runtime;
  const open = new Map<string, ApprovalRequest>();
  const shown = new Set<string>();
  const isOurs = (request: ApprovalRequest): boolean =>
    isAskedIn(sessionId(), request, (shown) => conversations.subagents(shown));
  const close = (request: ApprovalRequest): void => {
    const record = approvals.history().find((each) => each.request.id === request.id);
    if (record === undefined && conversations.running(request.sessionId) !== undefined) return;
    open.delete(request.id);
    const item = items.get(request.id);
    const status = record === undefined ? 'No longer waiting' : record.allowed ? 'Allowed' : 'Denied';
    if (item?.kind === 'question') items.put({ ...withoutNotice(item), choices: [], status });
  };
  const refresh = (): void => {
    const waiting = approvals.pending().filter(isOurs);
    for (const request of open.values()) if (!waiting.includes(request)) close(request);
    for (const request of waiting) {
      if (open.has(request.id) && items.get(request.id) !== undefined) continue;
      open.set(request.id, request);
      items.put(questionOf(request));
    }
  };
  const listening = approvals.onDidChange(refresh);
  return {
    refresh,
    elsewhere: () => approvals.pending().filter((request) => !isOurs(request)),
    forgetShown: () => shown.clear(),
    noteShown(id) {
      const item = items.get(id);
      if (item?.kind !== 'question' || !item.isWhole) return;
      shown.add(id);
      if (item.notice !== undefined) items.put(withoutNotice(item));
      approvals.noteShownWhole(id, 'remote');
    },
    async answer({ id, answer, why }) {
      const request = open.get(id);
      if (request === undefined) return;
      const words = answer === 'deny' ? why.trim() : '';
      // Words deny what waits of the session, and the agent that asks reads them next. In a job they answer this call alone.
      if (words !== '' && request.isUnattended !== true)
        await conversations.inbox.add(request.sessionId, 'steer', words);
      else if (answer === 'deny' || (answer === 'once' && shown.has(id))) {
        const decision = answer === 'deny' ? 'deny' : 'allow-once';
        const resolved = approvals.resolve(id, decision, 'gateway', { words });
        if (!resolved.ok) throw resolved.error;
      } else if (answer === 'once') {
        const item = items.get(id);
        const notice = 'Not allowed yet: you have not seen all of it. Look through it, then allow it.';
        if (item?.kind === 'question') items.put({ ...item, notice });
      }
    },
    dispose() {
      listening.dispose();
      open.clear();
    },
  };
}

/** What a yes that did not count left there. */
function withoutNotice({ notice: _notice, ...item }: QuestionItem): QuestionItem {
  return item;
}

/** A question with all of its call; one that is too long for the page can only be denied there. */
function questionOf(request: ApprovalRequest): QuestionItem {
  const { id, severity, title } = request;
  const description = withoutParams(request);
  const call = fullCall(request);
  const isWhole = call.length <= maxCall;
  const deny = { does: 'deny', title: 'Deny' } as const;
  return {
    ...{ kind: 'question', id, severity, title, description, isWhole, files: [] },
    markdown: codeBlock(isWhole ? call : `${call.slice(0, maxCall / 4)}\n…`, maxCall * 2),
    choices: isWhole ? [{ does: 'once', title: 'Allow once' }, deny] : [deny],
    status: isWhole
      ? 'Waits for your answer here or in the terminal.'
      : 'Too long to be allowed from here: look at it in the terminal.',
  };
}
