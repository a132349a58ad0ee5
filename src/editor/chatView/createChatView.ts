import * as vscode from 'vscode';
import { createSupersedingQueue } from '../../base/createSupersedingQueue.ts';
import { createDisposableStore, type Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { PagePort } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { QuestionSight } from '../approvals/createQuestionSight.ts';
import type { ChatPlace } from '../chat/chatMemory.ts';
import type { RemovedTurns } from '../chat/removedTurns.ts';
import { begin } from '../chat/chooseSession.ts';
import { readCommand } from '../chat/readCommand.ts';
import { hookParagraphs } from '../chat/slashCommands.ts';
import { commandLink } from '../chat/trustedMarkdown.ts';
import type { LiveCalls } from '../jobs/liveCalls.ts';
import { inBackground } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import { openSession } from '../sessions/openSession.ts';
import { pickSession } from '../sessions/pickSession.ts';
import { nameOfSession } from '../sessions/sessionTexts.ts';
import { itemsOfEntries, timesOf } from '../../gateway/chatPage/chatItems.ts';
import {
  askingChat,
  createChatScreen,
  handlePageMessage,
  type PageHandlers,
} from '../../gateway/chatPage/chatScreen.ts';
import { createItemLinks, withPaths } from './createItemLinks.ts';
import {
  keptUri,
  readFromChatPage,
  type ChatFrame,
  type FromChatPage,
  type ToChatPage,
} from '../../gateway/chatPage/chatViewMessages.ts';
import { readKeptFacts } from './keptFacts.ts';
import { followJobs } from './followJobs.ts';
import { createPageFiles } from './pageFiles.ts';
import { createReadAloud } from './createReadAloud.ts';
import { createTurnEdits } from './createTurnEdits.ts';
import { createModelChoice, modelName } from './pickModel.ts';
import { isRemoteCommand, toRemoteItem } from './remoteView.ts';
import { showPage } from './showPage.ts';
import { createViewQuestions } from './viewQuestions.ts';
import { createViewTurns, findOffers, isSlashCommand, type ViewTurns } from './viewTurns.ts';

export interface ChatViewParts {
  readonly runtime: Runtime;
  readonly last: LastUsedTracker;
  readonly reviewOf: ReviewOf;
  /** Told what of its questions the page shows; a page outside of VS Code is not asked. */
  readonly sight?: QuestionSight;
  readonly calls: Pick<LiveCalls, 'follow'>;
  readonly removed: RemovedTurns;
  readonly extensionUri: vscode.Uri;
  /** The page is a browser's, outside of VS Code: nothing of it opens anything here. */
  readonly isRemote?: boolean;
  /** Which session the view of this workspace shows. */
  readonly state: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** The conversation of the Chat view. It goes on whether the view shows or not: a page gets all of it when it opens. */
export interface ChatView extends Disposable {
  /** Takes over a view until that is closed. */
  attach(view: vscode.WebviewView): void;
  /** Takes over a page elsewhere. */
  attachPage(port: PagePort): void;
  /** Shows this session, and leaves a turn that runs here to itself; false where a message has come meanwhile, which it says. @throws PincerError `session_unknown` */
  openSession(id: string): Promise<boolean>;
  /** Sends a message as if it had been typed. */
  say(text: string): Promise<void>;
  /** Puts words into the input, once the page is there. */
  insert(text: string): void;
  /** Reads aloud what was said last in the session that was last talked to; without one, in that of the view. */
  readLast(): Promise<void>;
}

/** How many sessions a page elsewhere is offered. */
const maxSessions = 50;
/** What of the page opens something in VS Code, where nobody may be. */
const opensHere: readonly FromChatPage['type'][] = ['call', 'link', 'attach', 'review', 'readAloud'];
const placeKey = 'pincer.chatView.place';

export function createChatView(parts: ChatViewParts): ChatView {
  const { runtime, last, reviewOf, sight, calls, state, log, isRemote = false } = parts;
  const { conversations } = runtime;
  let page: Pick<vscode.Webview, 'postMessage'> | undefined;
  let session: Session | undefined;
  let progress = '';
  let ids = 0;
  const nextId = (): string => `view:${String((ids += 1))}`;

  // What the page is told
  const tell = (message: ToChatPage): void => {
    if (page !== undefined) inBackground(page.postMessage(message));
  };
  const screen = createChatScreen({
    ...{ tell, isOpen: () => page !== undefined, frame: () => frame(), nextId },
    shown: (item) => (isRemote ? toRemoteItem(withPaths(item)) : withPaths(item)),
  });
  const { items, note } = screen;
  const onProgress = (text: string): void => {
    progress = text;
    screen.change();
  };
  /** Turns of conversations that were left, by those: what has not begun can be stopped here alone. */
  const leftTurns = new Map<string, Pick<ViewTurns, 'isBusy' | 'stop'>>();
  const isRunning = (): boolean =>
    turns.isBusy() ||
    (session !== undefined &&
      (leftTurns.get(session.id)?.isBusy() === true || conversations.running(session.id) !== undefined));
  const reading = createReadAloud({ runtime, last, tell, onChange: screen.change });
  const frame = (): ChatFrame => ({
    sessionId: session?.id ?? '',
    title: session === undefined || session.isNew ? '' : nameOfSession(session),
    model: modelName(runtime, session),
    isRunning: isRunning(),
    progress,
    waiting: session === undefined ? [] : conversations.inbox.list(session.id),
    asksElsewhere: questions.elsewhere().length > 0,
    times: timesOf(items, runtime.approvals),
    speech: isRemote ? undefined : reading.frame(),
  });
  /** What the buttons of failures do, by the item in which each stands. */
  const buttons = new Map<string, vscode.Command>();
  const links = createItemLinks({
    ...{ items, buttons },
    // What stands here acts here, not in the chat panel.
    own: {
      'pincer.chat.open': (text) => insert(typeof text === 'string' ? text : ''),
      'pincer.chat.sendAgain': (target) => (target === undefined ? undefined : sendAgain(target.message)),
      'pincer.session.new': () => startOver(),
      'pincer.sessions.resume': (target) =>
        target === undefined ? choose() : openSessionHere(target.sessionId),
      'workbench.action.chat.openModelPicker': () => chooseModel(),
    },
  });
  const files = createPageFiles({ isRemote, tell, warn: (markdown) => note('warning', markdown) });

  // Which conversation it is
  const goOn = (next: Session): void => {
    session = next;
    const { id: sessionId, agentId, key } = next;
    inBackground(state.update(placeKey, { sessionId, agentId, sessionKey: key } satisfies ChatPlace));
  };
  // Threat: a page elsewhere asks for one long transcript after the other, and reading them all stops the window. So one is read at a time, and
  // of those that wait the last one alone.
  const openings = createSupersedingQueue();
  let opening = 0;
  /** Which was asked for last. */
  let openingId: string | undefined;
  /** Shows the conversation that is found, once all of it is read: `isWanted` is asked then. */
  const openFound = (
    id: string,
    find: () => Session | undefined | Promise<Session | undefined>,
    isWanted = (): boolean => true,
  ): Promise<void> => {
    openingId = id;
    opening += 1;
    const opened = openings.run(async (superseded) => {
      const isLast = (): boolean => !superseded.aborted;
      const next = isLast() ? await find() : undefined;
      if (!isLast() || next === undefined) return;
      // Reads what other processes have added, too.
      const lastTurn = await conversations.lastTurn(next);
      await conversations.inbox.open(next.id);
      if (!isLast()) return;
      // A compaction takes what calls were about out of memory, not out of the file.
      const entries = next.isNew ? [] : await conversations.readWhole(next.id);
      const facts = await readKeptFacts(runtime, next, (why) => log.warn(why));
      if (!isLast() || !isWanted()) return;
      goOn(next);
      const { items: stored, leftOut } = itemsOfEntries(entries, next.id, facts);
      items.replace(stored);
      jobs.refresh();
      if (leftOut > 0) {
        const whole = vscode.l10n.t('Show the whole conversation');
        const link = commandLink(whole, 'pincer.sessions.show', { sessionId: next.id });
        note('book', `${vscode.l10n.t('Only the newest part of this conversation is shown.')} ${link}`);
      }
      if (lastTurn === 'interrupted')
        note('debug-pause', vscode.l10n.t('The last turn was interrupted. Type /resume to continue it.'));
      if (lastTurn === 'elsewhere')
        note('info', vscode.l10n.t('A turn of it runs in another window or program.'));
      questions.refresh();
      screen.showAll();
      inBackground(links.linkFiles());
    });
    return opened.finally(() => {
      opening -= 1;
      followOthers();
    });
  };
  const open = (next: Session, isWanted?: () => boolean): Promise<void> =>
    openFound(next.id, () => next, isWanted);
  /** A turn of this session that the chat panel runs is none of the view's: once it has ended, the view shows what it left. */
  let runsElsewhere = false;
  const followOthers = (): void => {
    for (const [id, each] of leftTurns) if (!each.isBusy()) leftTurns.delete(id);
    screen.change();
    // What is being opened takes the place of what has ended; it is looked at after that.
    if (opening > 0) return;
    const isElsewhere =
      session !== undefined && !turns.isBusy() && conversations.running(session.id) !== undefined;
    const hasEnded = runsElsewhere && !isElsewhere && !turns.isBusy();
    runsElsewhere = isElsewhere;
    if (hasEnded && session !== undefined) inBackground(open(session, () => !turns.isBusy()));
  };
  // A transcript that can't be read is no reason to have no chat: it stands in the Sessions view with a way to mend it.
  const failed = (error: unknown): void => log.warn(errorMessage(error));
  const restore = async (): Promise<void> => {
    const place = state.get<ChatPlace>(placeKey);
    try {
      if (place !== undefined) {
        const kept = await conversations.sessions.open(place.sessionId);
        // Nothing was said in one without a transcript.
        await open(kept ?? begin(runtime, place.agentId, place.sessionKey));
      } else if (isRemote) {
        // A page elsewhere is new each time: it begins with what waits for an answer.
        const asking = await askingChat(questions.elsewhere(), conversations.sessions, failed);
        if (asking !== undefined) await open(asking);
      }
    } catch (error) {
      failed(error);
    }
  };

  const questions = createViewQuestions({
    ...{ runtime, reviewOf, items, isRemote, sight },
    sessionId: () => session?.id,
    say: (text) => say(text),
  });
  const edits = createTurnEdits({
    ...{ runtime, items, removed: parts.removed },
    session: () => session,
    goOn(next, shown) {
      openingId = next.id;
      openings.supersede();
      goOn(next);
      const stays = new Set(shown.map(({ id }) => id));
      const gone = items.all().filter(({ id }) => !stays.has(id));
      items.replace(shown);
      jobs.tookBack(gone);
      questions.refresh();
      screen.showAll();
    },
  });
  /** Messages whose place is being gone back to: the conversation that stands there is taken apart. */
  let goingBack = 0;
  /** Turns of the conversation that stands there, until another one does: what they say after that is read from its transcript. */
  const beginTurns = (): ViewTurns & { leave(): void } => {
    let isHere = true;
    let left: Session | undefined;
    const turnsHere = createViewTurns({
      ...{ buttons, runtime, last, reviewOf, calls, nextId },
      async goBack(id) {
        goingBack += 1;
        try {
          return await edits.goBack(id);
        } finally {
          goingBack -= 1;
        }
      },
      ...{ removed: parts.removed, refreshJobs: () => jobs.refresh() },
      session: () => (isHere ? session : left),
      isHere: () => isHere,
      failedElsewhere: (message, why) =>
        note(
          'error',
          escapeMarkdown(
            vscode.l10n.t(
              'The message “{0}” of another conversation failed: {1}',
              inertLine(message, 60),
              why,
            ),
          ),
        ),
      items: {
        ...items,
        put(item) {
          if (isHere) items.put(item);
        },
      },
      onProgress(text) {
        if (isHere) onProgress(text);
      },
      goOn(next) {
        if (isHere) goOn(next);
        else left = next;
      },
      async open(next) {
        if (isHere) await open(next);
      },
    });
    const leave = (): void => {
      left = session;
      isHere = false;
      if (left !== undefined) leftTurns.set(left.id, turnsHere);
    };
    return { ...turnsHere, leave };
  };
  let turns = beginTurns();
  /** How many messages were sent from here. */
  let said = 0;
  const jobs = followJobs({ jobs: runtime.tools.jobs, items, isRunning, note });
  const restored = restore();

  // What the page asks for
  const send = async (message: Extract<FromChatPage, { type: 'send' }>): Promise<void> => {
    const receivedAt = runtime.host.clock.monotonic();
    await restored;
    const text = message.text.trim();
    if (text === '') return;
    const { command } = readCommand({ prompt: text }, isSlashCommand);
    if (isRemote && command !== undefined && !isRemoteCommand(command)) {
      refuse(message.text, vscode.l10n.t('/{0} is typed in VS Code. Say it in words here.', command));
      return;
    }
    const { before } = message;
    if (before !== undefined && !mayChange()) tell({ type: 'refused', text: message.text });
    else if (session !== undefined && conversations.running(session.id) !== undefined)
      await sayMeanwhile(session, message);
    else if (isRunning())
      refuse(
        message.text,
        vscode.l10n.t('The message before is still being read. Send this one again then.'),
      );
    else {
      said += 1;
      const attached = files.resolve(message.attached.filter((uri) => uri !== keptUri));
      const keepsAttached = message.attached.includes(keptUri);
      await turns.say({
        ...{ text, attached, receivedAt },
        ...(before === undefined ? {} : { before: { id: before, keepsAttached } }),
      });
      // A turn that was left and never began tells nobody that it is over.
      followOthers();
      await links.linkFiles();
    }
  };
  /** Words for the turn that runs. A command would be read by the model, and deny what waits. */
  const sayMeanwhile = async (
    running: Session,
    { text, as }: Extract<FromChatPage, { type: 'send' }>,
  ): Promise<void> => {
    const { command } = readCommand({ prompt: text }, isSlashCommand);
    if (command === 'stop') stop();
    else if (command !== undefined)
      refuse(text, vscode.l10n.t('While a turn runs, /stop is the only command.'));
    else
      await conversations.inbox.add(running.id, as, text.trim()).catch((error: unknown) => {
        tell({ type: 'refused', text });
        throw error;
      });
  };
  /** Nothing that was typed is lost. */
  const refuse = (text: string, why: string): void => {
    tell({ type: 'refused', text });
    say(why);
  };
  const sendAgain = async (text: string): Promise<void> => {
    if (isRunning()) await send({ type: 'send', text, attached: [], as: 'followUp' });
    else {
      said += 1;
      await turns.sayAgain(text, runtime.host.clock.monotonic());
    }
  };
  let hasBegun = false;
  let [isReady, inserted] = [false, ''];
  const insert = (text: string): void => {
    inserted = text;
    if (!isReady || text === '') return;
    tell({ type: 'insert', text });
    inserted = '';
  };
  /** Where the person is. */
  const say = (text: string): void => {
    if (isRemote) note('info', escapeMarkdown(text));
    else void vscode.window.showInformationMessage(text);
  };
  const stop = (): void => {
    turns.stop();
    if (session === undefined) return;
    leftTurns.get(session.id)?.stop();
    conversations.stopTurn(session.id);
  };
  const unless = (isHeld: boolean): boolean => {
    if (isHeld) say(vscode.l10n.t('A turn is running here. Stop it first.'));
    return !isHeld;
  };
  const mayChange = (): boolean => unless(isRunning());
  /**
   * Whether another conversation, asked for now, may be shown once it was read: a turn that runs here is left to itself, as one of the chat
   * panel is, unless it is of a message that has come meanwhile.
   */
  const leaving = (): (() => boolean) => {
    const saidBefore = said;
    return () => {
      if (!turns.isBusy()) return true;
      if (!unless(said !== saidBefore || goingBack > 0)) return false;
      turns.leave();
      turns = beginTurns();
      progress = '';
      return true;
    };
  };
  const startOver = async (): Promise<void> => {
    await restored;
    if (!mayChange()) return;
    const next = begin(runtime, session?.agentId, session?.key);
    const texts = session === undefined ? [] : await conversations.reset(session, 'new', next);
    // Hooks take their time, and a message may have come meanwhile.
    await open(next, mayChange);
    if (session !== next) return;
    const said = hookParagraphs(texts).join('\n\n');
    if (said !== '') items.put({ kind: 'answer', id: nextId(), markdown: said, files: [] });
  };
  const choose = async (): Promise<void> => {
    await restored;
    const summaries = (await conversations.summaries()).filter(({ kind }) => kind === 'chat');
    if (isRemote) {
      const rows = summaries
        .slice(0, maxSessions)
        .map(({ id, title, updatedAt }) => ({ id, title, at: updatedAt }));
      tell({ type: 'choose', what: 'openSession', rows });
      return;
    }
    const picked = await pickSession(summaries, vscode.l10n.t('Open a Session'));
    if (picked !== undefined) await openSessionHere(picked.id);
  };
  const openSessionHere = async (id: string): Promise<boolean> => {
    await restored;
    if (session?.id === id && turns.isBusy()) openings.supersede();
    if (session?.id === id && (openingId === id || turns.isBusy())) return true;
    await openFound(id, () => openSession(runtime, id), leaving());
    return session?.id === id;
  };
  /** Shows what a page elsewhere showed before it was loaded again, where that is still there: its former self is gone with it. */
  const openAgain = async (id: string): Promise<void> => {
    if (session?.id === id || turns.isBusy()) return;
    await openFound(id, () => conversations.sessions.open(id), leaving());
  };
  /** Shows the conversation of the oldest question that waits elsewhere; where none can be shown now, the view that has all of them. */
  const openAsking = async (): Promise<void> => {
    await restored;
    const asking = questions.elsewhere();
    if (asking.length === 0) return;
    const isWanted = leaving();
    const next = await askingChat(asking, conversations.sessions, failed);
    if (next !== undefined) await open(next, isWanted);
    else if (isRemote) say(vscode.l10n.t('That question can only be answered in VS Code.'));
    else await vscode.commands.executeCommand('pincer.approvals.focus');
  };
  const { choose: chooseModel, use: useModel } = createModelChoice({
    ...{ runtime, isRemote, tell },
    session: () => (session ??= conversations.create()),
    onChange: screen.change,
  });
  const offer = async (query: string): Promise<void> => {
    const offers = (await findOffers(runtime, query)).filter(
      // What a box of VS Code would ask for is not offered elsewhere.
      ({ isOwn, isText, value }) =>
        !isRemote || (isText !== true && (isOwn !== true || isRemoteCommand(value.slice(1)))),
    );
    if (query.startsWith('#')) files.offered(offers.filter(({ isText }) => isText !== true));
    tell({ type: 'offers', query, offers });
  };
  const handlers: PageHandlers = {
    openSession: ({ id }) => openSessionHere(id),
    asking: openAsking,
    async ready({ sessionId }) {
      // A page elsewhere is loaded again once: it has no former self after that.
      const former = isRemote && !hasBegun ? sessionId : undefined;
      hasBegun = true;
      await restored;
      if (former !== undefined) await openAgain(former);
      questions.forgetShown();
      questions.refresh();
      screen.showAll();
      reading.pageBegan();
      isReady = true;
      insert(inserted);
    },
    drawn: screen.drawn,
    send,
    stop,
    new: startOver,
    sessions: choose,
    model: chooseModel,
    useModel: ({ id }) => useModel(id),
    give: ({ name, base64 }) => files.give(name, base64),
    answer: (message) => questions.answer(message),
    shown: ({ id }) => questions.noteShown(id),
    sight: ({ id, isInSight }) => sight?.note(id, isInSight),
    review: ({ id }) => questions.review(id),
    tick: (message) => questions.tick(message),
    unqueue: ({ id }) => session && conversations.inbox.remove(session.id, id),
    async readAloud({ id }) {
      const item = items.get(id);
      if (item?.kind === 'answer') await reading.read(item.markdown);
    },
    async edit({ id }) {
      if (mayChange()) tell({ type: 'edit', id, ...(await edits.begin(id)) });
    },
    async retry({ id }) {
      if (!mayChange()) return;
      const { id: before, text } = edits.messageOf(id);
      await send({ type: 'send', text, attached: [keptUri], as: 'followUp', before });
    },
    silence: () => reading.stop(),
    played: (message) => reading.note(message),
    call: ({ call }) => vscode.commands.executeCommand('pincer.runs.showCall', call),
    link: ({ id, href }) => links.follow(id, href),
    offer: ({ query }) => offer(query),
    attach: ({ uris }) => files.attach(uris),
  };
  const take = async (message: FromChatPage): Promise<void> => {
    if (!isRemote || !opensHere.includes(message.type)) await handlePageMessage(handlers, message);
  };

  const store = createDisposableStore();
  for (const each of [
    screen,
    questions,
    reading,
    jobs,
    conversations.onDidChange(followOthers),
    conversations.inbox.onDidChange(screen.change),
    runtime.workspace.onDidChange(screen.change),
    runtime.approvals.onDidChange(screen.change),
    // The time of questions stands still without the focus.
    vscode.window.onDidChangeWindowState(() => {
      if (runtime.approvals.pending().length > 0) screen.change();
    }),
    // Turns outlive their page: only Stop stops one.
    { dispose: () => (page = undefined) },
  ])
    store.add(each);
  return {
    attach(view) {
      const { webview } = view;
      page = webview;
      showPage(view, parts.extensionUri, {
        take,
        onHidden() {
          isReady = false;
          questions.forgetShown();
        },
        onClosed() {
          if (page === webview) page = undefined;
        },
      });
    },
    attachPage(port) {
      page = {
        async postMessage(message) {
          port.post(message);
          return await Promise.resolve(true);
        },
      };
      port.listen((data) => {
        const message = readFromChatPage(data);
        if (message !== undefined)
          take(message).catch((error: unknown) => note('error', escapeMarkdown(errorMessage(error))));
      });
    },
    openSession: openSessionHere,
    say: (text) => send({ type: 'send', text, attached: [], as: 'followUp' }),
    insert,
    readLast: () => restored.then(() => reading.readLast(session)),
    dispose: () => store.dispose(),
  };
}
