import { quoteText } from '../../agent/prompt/quoteFile.ts';
import { errorMessage } from '../../base/errors.ts';
import { escapeMarkdown, truncate } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import { createLiveItems } from '../../gateway/chatPage/chatScreen.ts';
import type { PageTurns, TurnSurface } from '../../gateway/chatPage/createShownConversation.ts';
import type { Uploads } from '../../gateway/chatPage/uploads.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';

/** Characters of one attached text. */
const maxAttachment = 100_000;

/** Answers messages by a plugin's command or a turn of the agent. */
export interface TerminalTurns extends PageTurns {
  /** `attached`: what the page has uploaded, by its addresses. Rejects with what fails while its conversation is shown. */
  say(chat: Session, text: string, attached: readonly string[]): Promise<void>;
}

export function createTerminalTurns(
  { models, plugins, turns }: Pick<Runtime, 'models' | 'plugins' | 'turns'>,
  uploads: Pick<Uploads, 'get'>,
  { items, nextId, isHere, onProgress, goOn, failedElsewhere }: TurnSurface,
): TerminalTurns {
  let stopping: AbortController | undefined;
  const note = (icon: string, markdown: string): void =>
    items.put({ kind: 'note', id: nextId(), icon, markdown });
  const answer = async (
    chat: Session,
    text: string,
    attachments: readonly (TextPart | ImagePart)[],
    signal: AbortSignal,
  ): Promise<void> => {
    const command = plugins.findCommand(text);
    if (command !== undefined) {
      const { text: markdown, continues } = await command.run(chat);
      if (markdown !== '') items.put({ kind: 'answer', id: nextId(), markdown, files: [] });
      if (!continues) return;
    }
    const turn = createTurnItems(items, nextId, onProgress);
    const run = await turns.start({
      session: chat,
      prompt: text,
      attachments,
      model: models.forSession(chat),
      signal,
      emit: (event) => turn.take(event),
    });
    goOn(run.session);
    const outcome = await run.outcome;
    turn.end();
    if (isHere()) tellOutcome(outcome);
    else if (outcome.status === 'failed') failedElsewhere(text, outcome.message);
  };
  const tellOutcome = (outcome: RunOutcome): void => {
    if (outcome.status === 'blocked')
      items.put({ kind: 'answer', id: nextId(), markdown: outcome.text, files: [] });
    if (outcome.status === 'cancelled') note('circle-slash', 'Stopped.');
    if (outcome.status === 'failed')
      note('error', escapeMarkdown([outcome.message, outcome.hint ?? ''].join(' ').trim()));
  };
  const readGiven = async (uris: readonly string[]): Promise<readonly (TextPart | ImagePart)[]> => {
    const files = uris.flatMap((uri) => uploads.get(uri) ?? []);
    if (files.length < uris.length) note('warning', 'A file is no longer there: attach it again.');
    const parts = files.map(async ({ label, value }): Promise<readonly (TextPart | ImagePart)[]> => {
      if (typeof value === 'string') return [attachedText(label, truncate(value, maxAttachment))];
      const data = Buffer.from(await value.data()).toString('base64');
      const { mimeType } = value;
      return [attachedText(label, `[The image follows: ${mimeType}]`), { type: 'image', data, mimeType }];
    });
    return (await Promise.all(parts)).flat();
  };
  return {
    isBusy: () => stopping !== undefined,
    stop: () => stopping?.abort(),
    async say(chat, text, attached) {
      const { signal } = (stopping = new AbortController());
      onProgress('Thinking');
      items.put({
        ...{ kind: 'user', id: nextId(), text },
        attached: attached.flatMap((uri) => uploads.get(uri)?.label ?? []),
      });
      try {
        await answer(chat, text, await readGiven(attached), signal);
      } catch (error) {
        if (isHere()) throw error;
        failedElsewhere(text, errorMessage(error));
      } finally {
        stopping = undefined;
        onProgress('');
      }
    },
  };
}

/** Makes the items of one turn from its events. */
function createTurnItems(
  items: ChatItems,
  nextId: () => string,
  onProgress: (text: string) => void,
): { take(event: AgentEvent): void; end(): void } {
  const live = createLiveItems(items, nextId);
  return {
    take(event) {
      if (event.type !== 'text' && event.type !== 'thinking' && event.type !== 'usage') live.breakAnswer();
      switch (event.type) {
        case 'text':
          live.say(event.text);
          onProgress('');
          break;
        case 'tool_started':
          live.callStarted(event);
          onProgress('');
          break;
        case 'tool_ended':
          live.callEnded(event.call.id, { state: event.result.isError ? 'failed' : 'done', facts: [] });
          onProgress('Thinking');
          break;
        case 'steered':
        case 'follow_up':
          live.said(event);
          break;
        case 'waiting':
          onProgress(
            event.for === 'session'
              ? 'Waits for another window or program that works on this session'
              : 'Waits for the turns that run, to take over what has changed on disk',
          );
          break;
        case 'run_started':
          onProgress('Thinking');
          break;
        case 'notice':
          items.put({ kind: 'note', id: nextId(), icon: 'info', markdown: escapeMarkdown(event.text) });
          break;
        default:
          break;
      }
    },
    end: () => live.end(),
  };
}

function attachedText(name: string, text: string): TextPart {
  const quoted = quoteText('attachment', { name }, text);
  return { type: 'text', text: `Attached by the user, as data:\n${quoted}`, isContext: true };
}
