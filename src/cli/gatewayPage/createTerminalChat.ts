import { quoteText } from '../../agent/prompt/quoteFile.ts';
import { createDisposableStore, type Disposable } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { escapeMarkdown, inertLine, truncate } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import { handlePageMessage, type PageHandlers, createLiveItems } from '../../gateway/chatPage/chatScreen.ts';
import {
  readFromChatPage,
  type ChatItem,
  type FromChatPage,
  type ToChatPage,
} from '../../gateway/chatPage/chatViewMessages.ts';
import {
  createShownConversation,
  type PageTurns,
  type TurnSurface,
} from '../../gateway/chatPage/createShownConversation.ts';
import { modelName, modelRows, type ModelRow } from '../../gateway/chatPage/modelRows.ts';
import { createUploads, type Uploads } from '../../gateway/chatPage/uploads.ts';
import type { PagePort } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { sessionTitle } from '../../sessions/sessionTitle.ts';
import { imageTypeOf } from '../../tools/core/imageTypeOf.ts';
import { createTerminalQuestions } from './createTerminalQuestions.ts';

/** The conversation of one page that `pincer gateway run` serves: the Chat view's, without what only an editor has. */
export function createTerminalChat(runtime: Runtime, port: PagePort): Disposable {
  const { conversations, approvals, models, plugins } = runtime;
  const uploads = createUploads(imageTypeOf);
  let isOpen = true;
  const tell = (message: ToChatPage): void => {
    if (isOpen) port.post(message);
  };
  const noteError = (error: unknown): void => conversation.note('error', escapeMarkdown(errorMessage(error)));
  const conversation = createShownConversation({
    conversations,
    approvals,
    tell,
    isOpen: () => isOpen,
    shown: withoutPlace,
    frame: (session) => ({
      title: session === undefined ? '' : (sessionTitle(session) ?? ''),
      model: modelName(models, session),
      speech: undefined,
    }),
    turns: (surface) => createTerminalTurns(runtime, uploads, surface),
    questions: (items, sessionId) => createTerminalQuestions({ runtime, items, sessionId }),
    // The page is new each time: it begins with what waits for an answer.
    first: async (asking) => await asking(),
    async find(id) {
      const found = await conversations.sessions.open(id);
      if (found === undefined) throw new PincerError('session_unknown', 'That session is no longer there.');
      return found;
    },
    begin: (agentId) => conversations.create(agentId),
    onOpened({ leftOut }) {
      if (leftOut > 0) conversation.say('Only the newest part of this conversation is shown.');
    },
    sayElsewhere() {
      conversation.say('That question can only be answered in the terminal.');
    },
    failed: noteError,
    inBackground: (work) => void work.catch(noteError),
    texts: {
      turnRuns: 'A turn is running here. Stop it first.',
      showsLater: 'A turn runs. Its answer shows here once it has ended.',
      failedElsewhere: (message, why) => `The message “${message}” of another conversation failed: ${why}`,
    },
  });
  const { say, session, sessionOrNew } = conversation;

  const send = async (message: Extract<FromChatPage, { type: 'send' }>): Promise<void> => {
    await conversation.restored;
    const text = message.text.trim();
    if (text === '') return;
    switch (conversation.state()) {
      case 'running':
        await conversation.sayMeanwhile(message);
        break;
      case 'starting':
        conversation.refuse(
          message.text,
          'The message before is still being read. Send this one again then.',
        );
        break;
      case 'idle':
        await conversation.answer((turns) => turns.say(sessionOrNew(), text, message.attached));
    }
  };
  const rows = (): readonly ModelRow[] =>
    modelRows(models.list(), 'Default of the config', session()?.settings().model ?? '');
  const useModel = async (id: string): Promise<void> => {
    if (!rows().some((row) => row.id === id)) return;
    await conversations.setSettings(sessionOrNew(), { model: id === '' ? undefined : id });
    conversation.change();
  };
  const takeUpload = (name: string, base64: string): void => {
    const file = base64 === '' ? undefined : uploads.add(name, Buffer.from(base64, 'base64'));
    if (file !== undefined) tell({ type: 'attached', attached: [{ uri: file.uri, label: file.label }] });
    else
      say(
        `${inertLine(name, 120)} can't be sent from here: it is neither text nor an image, or above 1.3 MB.`,
      );
  };
  const offersFor = (query: string): readonly { readonly value: string; readonly description: string }[] =>
    query.startsWith('/')
      ? plugins
          .commands()
          .filter(({ name }) => `/${name}`.startsWith(query))
          .map(({ name, description }) => ({ value: `/${name}`, description: inertLine(description, 120) }))
      : [];

  // Without the messages that open something in an editor.
  const handlers: PageHandlers = {
    ...conversation.handlers,
    ready: ({ sessionId }) => conversation.pageBegan(sessionId),
    send,
    new: () => conversation.startOver(),
    sessions: () => conversation.offerSessions(),
    openSession: ({ id }) => conversation.openSession(id),
    model: () => tell({ type: 'choose', what: 'useModel', rows: rows() }),
    useModel: ({ id }) => useModel(id),
    offer: ({ query }) => tell({ type: 'offers', query, offers: offersFor(query) }),
    upload: ({ name, base64 }) => takeUpload(name, base64),
  };
  port.listen((data) => {
    const message = readFromChatPage(data);
    if (message !== undefined) handlePageMessage(handlers, message).catch(noteError);
  });
  const store = createDisposableStore();
  store.add(conversation);
  // Turns outlive their page: only Stop stops one.
  store.add({ dispose: () => (isOpen = false) });
  return store;
}

/** The item without its links: no editor is there to open a call, and nothing goes back to an earlier message. */
function withoutPlace(item: ChatItem): ChatItem {
  if (item.kind === 'user') {
    const { turn: _turn, ...said } = item;
    return said;
  }
  if (item.kind !== 'step') return item;
  const { opens: _opens, ...step } = item;
  return step;
}

/** Answers messages by a plugin's command or a turn of the agent. */
interface TerminalTurns extends PageTurns {
  /** `attached`: what the page has uploaded, by its addresses. Rejects with what fails while its conversation is shown. */
  say(chat: Session, text: string, attached: readonly string[]): Promise<void>;
}

/** Characters of one attached text. */
const maxAttachment = 100_000;

function createTerminalTurns(
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
        kind: 'user',
        id: nextId(),
        text,
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
              : 'Waiting for running turns to end, to load what changed on disk',
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
