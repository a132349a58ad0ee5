import { quoteText } from '../../agent/prompt/quoteFile.ts';
import { createSupersedingQueue } from '../../base/createSupersedingQueue.ts';
import { createDisposableStore, type Disposable } from '../../base/disposable.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { escapeMarkdown, inertLine, truncate } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import { itemsOfEntries, timesOf, type ChatItems } from '../../gateway/chatPage/chatItems.ts';
import {
  askingChat,
  createChatScreen,
  createLiveItems,
  handlePageMessage,
  type PageHandlers,
} from '../../gateway/chatPage/chatScreen.ts';
import {
  readFromChatPage,
  type ChatItem,
  type FromChatPage,
  type ToChatPage,
} from '../../gateway/chatPage/chatViewMessages.ts';
import { createGivenFiles } from '../../gateway/chatPage/givenFiles.ts';
import { modelRows, type ModelRow } from '../../gateway/chatPage/modelRows.ts';
import type { PagePort } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { sessionTitle } from '../../sessions/sessionTitle.ts';
import { imageTypeOf } from '../../tools/core/imageTypeOf.ts';
import { createTerminalQuestions } from './createTerminalQuestions.ts';

const maxSessions = 50;
/** Characters of one attached text. */
const maxAttachment = 100_000;

/** The conversation of one page that `pincer gateway run` serves: the Chat view's, without what only an editor has. */
export function createTerminalChat(runtime: Runtime, port: PagePort): Disposable {
  const { conversations, approvals, models, plugins, turns } = runtime;
  /** The turn of the conversation that stands there. Once another one does, what it says is read from its transcript. */
  let own: AbortController | undefined;
  /** Turns of conversations that were left, by those, until they end. */
  const left = new Map<string, AbortController>();
  /** How many messages were sent from here. */
  let said = 0;
  const given = createGivenFiles(imageTypeOf);
  let session: Session | undefined;
  let progress = '';
  let ids = 0;
  const nextId = (): string => `page:${String((ids += 1))}`;

  let isOpen = true;
  const tell = (message: ToChatPage): void => {
    if (isOpen) port.post(message);
  };
  const screen = createChatScreen({
    ...{ tell, isOpen: () => isOpen, frame: () => frame(), nextId },
    shown: (item) => item,
  });
  const { items, note } = screen;
  const noteError = (error: unknown): void => note('error', escapeMarkdown(errorMessage(error)));
  const say = (text: string): void => note('info', escapeMarkdown(text));
  const isRunning = (): boolean =>
    own !== undefined ||
    (session !== undefined && (left.has(session.id) || conversations.running(session.id) !== undefined));
  const frame = (): Extract<ToChatPage, { type: 'show' }>['frame'] => ({
    sessionId: session?.id ?? '',
    title: session === undefined ? '' : (sessionTitle(session) ?? ''),
    model: modelName(),
    isRunning: isRunning(),
    progress,
    waiting: session === undefined ? [] : conversations.inbox.list(session.id),
    asksElsewhere: questions.elsewhere().length > 0,
    times: timesOf(items, approvals),
    speech: undefined,
  });
  const modelName = (): string => {
    try {
      return (session === undefined ? models.default() : models.forSession(session)).info.name;
    } catch (error) {
      return errorMessage(error);
    }
  };
  // Threat: a page asks for one long transcript after the other, and reading them all stops the program. So one is read at a time, and of those
  // that wait the last one alone.
  const openings = createSupersedingQueue();
  let opening = 0;
  /**
   * Shows the conversation that is found, once all of it is read: a turn that runs here is left to itself, unless it is of a message that has
   * come meanwhile.
   */
  const open = (
    find: () => Session | undefined | Promise<Session | undefined>,
    saidBefore = said,
  ): Promise<void> => {
    opening += 1;
    const opened = openings.run(async (superseded) => {
      const isLast = (): boolean => !superseded.aborted;
      const next = isLast() ? await find() : undefined;
      if (!isLast() || next === undefined) return;
      await conversations.lastTurn(next);
      await conversations.inbox.open(next.id);
      if (!isLast()) return;
      // A compaction takes what calls were about out of memory, not out of the file.
      const entries = next.isNew ? [] : await conversations.readWhole(next.id);
      if (!isLast() || !unless(own !== undefined && said !== saidBefore)) return;
      if (own !== undefined && session !== undefined) left.set(session.id, own);
      own = undefined;
      progress = '';
      session = next;
      const { items: stored, leftOut } = itemsOfEntries(entries, next.id);
      items.replace(stored.map(withoutPlace));
      if (leftOut > 0) say('Only the newest part of this conversation is shown.');
      questions.refresh();
      screen.showAll();
    });
    return opened.finally(() => {
      opening -= 1;
      followOthers();
    });
  };
  /** A turn of this session that is none of the page's: once it has ended, the page shows what it left. */
  let runsElsewhere = false;
  const followOthers = (): void => {
    const shown = session;
    if (shown === undefined || own !== undefined) runsElsewhere = false;
    // What is being opened takes the place of what has ended; it is looked at after that.
    else if (opening === 0) {
      const runs = conversations.running(shown.id) !== undefined;
      const hasEnded = runsElsewhere && !runs;
      runsElsewhere = runs;
      if (hasEnded) open(() => (session === shown && own === undefined ? shown : undefined)).catch(noteError);
    }
    screen.change();
  };
  /** The page is new each time: it begins with what waits for an answer. */
  const restore = (): Promise<void> =>
    open(() => askingChat(questions.elsewhere(), conversations.sessions, noteError));
  const openAsking = async (): Promise<void> => {
    const waiting = questions.elsewhere();
    if (waiting.length === 0) return;
    await open(async () => {
      const found = await askingChat(waiting, conversations.sessions, noteError);
      if (found === undefined) say('That question can only be answered in the terminal.');
      return found;
    });
  };
  const unless = (isHeld: boolean): boolean => {
    if (isHeld) say('A turn is running here. Stop it first.');
    return !isHeld;
  };
  const mayChange = (): boolean => unless(isRunning());

  const questions = createTerminalQuestions({ runtime, items, sessionId: () => session?.id });
  const restored = restore().catch(noteError);
  const send = async ({
    text: typed,
    attached,
    as,
  }: Extract<FromChatPage, { type: 'send' }>): Promise<void> => {
    await restored;
    const text = typed.trim();
    if (text === '') return;
    if (session !== undefined && conversations.running(session.id) !== undefined) {
      await conversations.inbox.add(session.id, as, text);
      return;
    }
    if (isRunning()) {
      tell({ type: 'refused', text: typed });
      say('The message before is still being read. Send this one again then.');
      return;
    }
    const stop = new AbortController();
    own = stop;
    said += 1;
    progress = 'Thinking';
    const chat = (session ??= conversations.create());
    items.put({
      ...{ kind: 'user', id: nextId(), text },
      attached: attached.flatMap((uri) => given.get(uri)?.label ?? []),
    });
    try {
      await answer(chat, text, await readGiven(attached), {
        signal: stop.signal,
        isHere: () => own === stop,
      });
    } catch (error) {
      if (own === stop) throw error;
      failedElsewhere(text, errorMessage(error));
    } finally {
      if (own === stop) {
        own = undefined;
        progress = '';
      }
      // After a pause the turn began in a conversation of its own.
      for (const [id, each] of left) if (each === stop) left.delete(id);
      followOthers();
    }
  };
  const answer = async (
    chat: Session,
    text: string,
    attachments: readonly (TextPart | ImagePart)[],
    { signal, isHere }: { readonly signal: AbortSignal; readonly isHere: () => boolean },
  ): Promise<void> => {
    const here: ChatItems = {
      ...items,
      put(item) {
        if (isHere()) items.put(item);
      },
    };
    const command = plugins.findCommand(text);
    if (command !== undefined) {
      const { text: markdown, continues } = await command.run(chat);
      if (markdown !== '') here.put({ kind: 'answer', id: nextId(), markdown, files: [] });
      if (!continues) return;
    }
    const turn = createTurn(here, nextId, (what) => {
      if (!isHere()) return;
      progress = what;
      screen.change();
    });
    const run = await turns.start({
      session: chat,
      prompt: text,
      attachments,
      model: models.forSession(chat),
      signal,
      emit: (event) => turn.take(event),
    });
    if (isHere()) ({ session } = run);
    const outcome = await run.outcome;
    turn.end();
    if (isHere()) tellOutcome(outcome);
    else if (outcome.status === 'failed') failedElsewhere(text, outcome.message);
  };
  const failedElsewhere = (text: string, why: string): void =>
    note(
      'error',
      escapeMarkdown(`The message “${inertLine(text, 60)}” of another conversation failed: ${why}`),
    );
  const tellOutcome = (outcome: RunOutcome): void => {
    if (outcome.status === 'blocked')
      items.put({ kind: 'answer', id: nextId(), markdown: outcome.text, files: [] });
    if (outcome.status === 'cancelled') note('circle-slash', 'Stopped.');
    if (outcome.status === 'failed')
      note('error', escapeMarkdown([outcome.message, outcome.hint ?? ''].join(' ').trim()));
  };
  const readGiven = async (uris: readonly string[]): Promise<readonly (TextPart | ImagePart)[]> => {
    const files = uris.flatMap((uri) => given.get(uri) ?? []);
    if (files.length < uris.length) note('warning', 'A file is no longer there: attach it again.');
    const parts = files.map(async ({ label, value }): Promise<readonly (TextPart | ImagePart)[]> => {
      if (typeof value === 'string') return [attachedText(label, truncate(value, maxAttachment))];
      const data = Buffer.from(await value.data()).toString('base64');
      const { mimeType } = value;
      return [attachedText(label, `[The image follows: ${mimeType}]`), { type: 'image', data, mimeType }];
    });
    return (await Promise.all(parts)).flat();
  };
  const stop = (): void => {
    own?.abort();
    if (session === undefined) return;
    left.get(session.id)?.abort();
    conversations.stopTurn(session.id);
  };
  const choose = async (): Promise<void> => {
    const chats = (await conversations.summaries()).filter(({ kind }) => kind === 'chat');
    const rows = chats
      .slice(0, maxSessions)
      .map(({ id, title, updatedAt }) => ({ id, title, at: updatedAt }));
    tell({ type: 'choose', what: 'openSession', rows });
  };
  const openSession = async (id: string): Promise<void> => {
    await restored;
    if (session?.id === id && own !== undefined) {
      openings.supersede();
      return;
    }
    await open(async () => {
      const found = await conversations.sessions.open(id);
      if (found === undefined) throw new PincerError('session_unknown', 'That session is no longer there.');
      return found;
    });
  };
  /** Shows what the page showed before it was loaded again, where that is still there: its former self is gone with it. */
  const openAgain = async (id: string): Promise<void> => {
    if (session?.id !== id && own === undefined) await open(() => conversations.sessions.open(id));
  };
  const startOver = async (): Promise<void> => {
    await restored;
    if (!mayChange()) return;
    const saidBefore = said;
    const next = conversations.create(session?.agentId);
    if (session !== undefined) await conversations.reset(session, 'new', next);
    await open(() => next, saidBefore);
  };
  const rows = (): readonly ModelRow[] =>
    modelRows(models.list(), 'Default of the config', session?.settings().model ?? '');
  const useModel = async (id: string): Promise<void> => {
    if (!rows().some((row) => row.id === id)) return;
    session ??= conversations.create();
    await conversations.setSettings(session, { model: id === '' ? undefined : id });
    screen.change();
  };
  const takeGiven = (name: string, base64: string): void => {
    const file = base64 === '' ? undefined : given.add(name, Buffer.from(base64, 'base64'));
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

  let hasBegun = false;
  // What opens something in an editor is not there.
  const handlers: PageHandlers = {
    async ready({ sessionId }) {
      // A page is loaded again once: it has no former self after that.
      const former = hasBegun ? undefined : sessionId;
      hasBegun = true;
      await restored;
      if (former !== undefined) await openAgain(former);
      questions.forgetShown();
      questions.refresh();
      screen.showAll();
    },
    drawn: screen.drawn,
    send,
    stop,
    new: startOver,
    sessions: choose,
    openSession: ({ id }) => openSession(id),
    asking: openAsking,
    model: () => tell({ type: 'choose', what: 'useModel', rows: rows() }),
    useModel: ({ id }) => useModel(id),
    answer: (message) => questions.answer(message),
    shown: ({ id }) => questions.noteShown(id),
    async unqueue({ id }) {
      if (session !== undefined) await conversations.inbox.remove(session.id, id);
    },
    offer: ({ query }) => tell({ type: 'offers', query, offers: offersFor(query) }),
    give: ({ name, base64 }) => takeGiven(name, base64),
  };
  port.listen((data) => {
    const message = readFromChatPage(data);
    if (message !== undefined) handlePageMessage(handlers, message).catch(noteError);
  });
  const store = createDisposableStore();
  for (const each of [
    screen,
    questions,
    approvals.onDidChange(() => {
      questions.refresh();
      screen.change();
    }),
    conversations.onDidChange(followOthers),
    conversations.inbox.onDidChange(screen.change),
    // Turns outlive their page: only Stop stops one.
    { dispose: () => (isOpen = false) },
  ])
    store.add(each);
  return store;
}

/** Makes the items of one turn from its events. */
function createTurn(
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

/** There is no editor that opens a call, and nothing here goes back to an earlier message. */
function withoutPlace(item: ChatItem): ChatItem {
  if (item.kind === 'user') {
    const { turn: _turn, ...said } = item;
    return said;
  }
  if (item.kind !== 'step') return item;
  const { opens: _opens, ...step } = item;
  return step;
}
