import * as vscode from 'vscode';
import { createDisposableStore, type Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { PagePort } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { QuestionVisibility } from '../approvals/createQuestionVisibility.ts';
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
import { handlePageMessage, type PageHandlers } from '../../gateway/chatPage/chatScreen.ts';
import {
  createShownConversation,
  type OpenedConversation,
} from '../../gateway/chatPage/createShownConversation.ts';
import { createItemLinks, withPaths } from './createItemLinks.ts';
import {
  keptUri,
  readFromChatPage,
  type FromChatPage,
  type ToChatPage,
} from '../../gateway/chatPage/chatViewMessages.ts';
import { modelName } from '../../gateway/chatPage/modelRows.ts';
import { readKeptFacts } from './keptFacts.ts';
import { followJobs } from './followJobs.ts';
import { createPageFiles } from './pageFiles.ts';
import { createReadAloud } from './createReadAloud.ts';
import { createTurnEdits } from './createTurnEdits.ts';
import { createModelChoice } from './pickModel.ts';
import { isRemoteCommand, toRemoteItem } from './remoteView.ts';
import { showPage } from './showPage.ts';
import { createViewQuestions } from './viewQuestions.ts';
import { findOffers } from './findOffers.ts';
import { createViewTurns, isSlashCommand } from './viewTurns.ts';

export interface ChatViewParts {
  readonly runtime: Runtime;
  readonly last: LastUsedTracker;
  readonly reviewOf: ReviewOf;
  /** Told what of its questions the page shows; a page outside of VS Code is not asked. */
  readonly visibility?: QuestionVisibility;
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

/** What of the page opens something in VS Code, where nobody may be. */
const opensHere: readonly FromChatPage['type'][] = ['call', 'link', 'attach', 'review', 'readAloud'];
const placeKey = 'pincer.chatView.place';

export function createChatView(parts: ChatViewParts): ChatView {
  const { runtime, last, reviewOf, visibility, calls, removed, state, log, isRemote = false } = parts;
  const { conversations, approvals, tools, workspace } = runtime;
  let page: Pick<vscode.Webview, 'postMessage'> | undefined;
  const tell = (message: ToChatPage): void => {
    if (page !== undefined) inBackground(page.postMessage(message));
  };
  /** What the buttons of failures do, by the item in which each stands. */
  const buttons = new Map<string, vscode.Command>();
  const findKept = async ({ sessionId, agentId, sessionKey }: ChatPlace): Promise<Session> =>
    // Nothing was said in one without a transcript.
    (await conversations.sessions.open(sessionId)) ?? begin(runtime, agentId, sessionKey);
  const place = state.get<ChatPlace>(placeKey);
  const conversation = createShownConversation({
    ...{ conversations, approvals, tell, isOpen: () => page !== undefined },
    shown: (item) => (isRemote ? toRemoteItem(withPaths(item)) : withPaths(item)),
    frame: (session) => ({
      title: session === undefined || session.isNew ? '' : nameOfSession(session),
      model: modelName(runtime.models, session),
      speech: isRemote ? undefined : reading.frame(),
    }),
    turns: (surface) =>
      createViewTurns({
        ...{ ...surface, buttons, runtime, last, reviewOf, calls, removed },
        goBack: (id) => surface.whileGoingBack(() => edits.goBack(id)),
        refreshJobs: () => jobs.refresh(),
      }),
    questions: (items, sessionId, say) =>
      createViewQuestions({ runtime, reviewOf, items, isRemote, visibility, sessionId, say }),
    // A page elsewhere is new each time: it begins with what waits for an answer.
    first:
      place === undefined ? (isRemote ? async (asking) => await asking() : undefined) : () => findKept(place),
    find: (id) => openSession(runtime, id),
    begin: (agentId, key) => begin(runtime, agentId, key),
    readFacts: (session) => readKeptFacts(runtime, session, (why) => log.warn(why)),
    onOpened(opened) {
      jobs.refresh();
      noteOpened(opened);
      inBackground(links.linkFiles());
    },
    onSession({ id: sessionId, agentId, key: sessionKey }) {
      inBackground(state.update(placeKey, { sessionId, agentId, sessionKey } satisfies ChatPlace));
    },
    ...(isRemote ? {} : { say: (text) => void vscode.window.showInformationMessage(text) }),
    async sayElsewhere() {
      if (isRemote) say(vscode.l10n.t('That question can only be answered in VS Code.'));
      else await vscode.commands.executeCommand('pincer.approvals.focus');
    },
    // It stands in the Sessions view with a way to mend it.
    failed: (error) => log.warn(errorMessage(error)),
    inBackground,
    texts: {
      turnRuns: vscode.l10n.t('A turn is running here. Stop it first.'),
      showsLater: vscode.l10n.t('A turn runs. Its answer shows here once it has ended.'),
      failedElsewhere: (message, why) =>
        vscode.l10n.t('The message “{0}” of another conversation failed: {1}', message, why),
    },
  });
  const { items, questions, note, say, restored, isRunning, session, sessionOrNew } = conversation;
  const noteOpened = ({ leftOut, lastTurn }: OpenedConversation): void => {
    if (leftOut > 0) {
      const whole = vscode.l10n.t('Show the whole conversation');
      const link = commandLink(whole, 'pincer.sessions.show', { sessionId: session()?.id });
      note('book', `${vscode.l10n.t('Only the newest part of this conversation is shown.')} ${link}`);
    }
    if (lastTurn === 'interrupted')
      note('debug-pause', vscode.l10n.t('The last turn was interrupted. Type /resume to continue it.'));
    if (lastTurn === 'elsewhere')
      note('info', vscode.l10n.t('A turn of it runs in another window or program.'));
  };
  const reading = createReadAloud({ runtime, last, tell, onChange: conversation.change });
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
  const jobs = followJobs({ jobs: tools.jobs, items, isRunning, note });
  const edits = createTurnEdits({
    ...{ runtime, items, removed, session },
    goOn(next, shown) {
      const stays = new Set(shown.map(({ id }) => id));
      const gone = items.all().filter(({ id }) => !stays.has(id));
      conversation.replace(next, shown);
      jobs.tookBack(gone);
      conversation.showAll();
    },
  });
  const { choose: chooseModel, use: useModel } = createModelChoice({
    ...{ runtime, isRemote, tell, session: sessionOrNew, onChange: conversation.change },
  });

  // What the page asks for
  const send = async (message: Extract<FromChatPage, { type: 'send' }>): Promise<void> => {
    const receivedAt = runtime.host.clock.monotonic();
    await restored;
    const text = message.text.trim();
    if (text === '') return;
    const { command } = readCommand({ prompt: text }, isSlashCommand);
    if (isRemote && command !== undefined && !isRemoteCommand(command)) {
      const why = vscode.l10n.t('/{0} works only in VS Code. Here, ask in your own words.', command);
      conversation.refuse(message.text, why);
      return;
    }
    const { before } = message;
    if (before !== undefined && !conversation.mayChange()) {
      tell({ type: 'refused', text: message.text });
      return;
    }
    switch (conversation.state()) {
      case 'running':
        await sayMeanwhile(message, command);
        break;
      case 'starting':
        conversation.refuse(
          message.text,
          vscode.l10n.t('The message before is still being read. Send this one again then.'),
        );
        break;
      case 'idle': {
        const attached = files.resolve(message.attached.filter((uri) => uri !== keptUri));
        const keepsAttached = message.attached.includes(keptUri);
        const replaces = before === undefined ? {} : { before: { id: before, keepsAttached } };
        await conversation.answer((turns) => turns.say({ text, attached, receivedAt, ...replaces }));
        await links.linkFiles();
      }
    }
  };
  /** Words for the turn that runs. A command would be read by the model, and deny what waits. */
  const sayMeanwhile = async (
    message: Extract<FromChatPage, { type: 'send' }>,
    command: string | undefined,
  ): Promise<void> => {
    if (command === 'stop') conversation.stop();
    else if (command !== undefined)
      conversation.refuse(message.text, vscode.l10n.t('While a turn runs, /stop is the only command.'));
    else await conversation.sayMeanwhile(message);
  };
  const sendAgain = async (text: string): Promise<void> => {
    if (isRunning()) await send({ type: 'send', text, attached: [], as: 'followUp' });
    else await conversation.answer((turns) => turns.sayAgain(text, runtime.host.clock.monotonic()));
  };
  let [isReady, inserted] = [false, ''];
  const insert = (text: string): void => {
    inserted = text;
    if (!isReady || text === '') return;
    tell({ type: 'insert', text });
    inserted = '';
  };
  const startOver = async (): Promise<void> => {
    const said = hookParagraphs(await conversation.startOver()).join('\n\n');
    if (said !== '') items.put({ kind: 'answer', id: conversation.nextId(), markdown: said, files: [] });
  };
  const choose = async (): Promise<void> => {
    await restored;
    if (isRemote) {
      await conversation.offerSessions();
      return;
    }
    const chats = (await conversations.summaries()).filter(({ kind }) => kind === 'chat');
    const picked = await pickSession(chats, vscode.l10n.t('Open a Session'));
    if (picked !== undefined) await openSessionHere(picked.id);
  };
  const openSessionHere = async (id: string): Promise<boolean> => {
    await restored;
    return conversation.isSettledOn(id) || (await conversation.openSession(id));
  };
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
    ...conversation.handlers,
    openSession: ({ id }) => openSessionHere(id),
    async ready({ sessionId }) {
      await conversation.pageBegan(isRemote ? sessionId : undefined);
      reading.pageBegan();
      isReady = true;
      insert(inserted);
    },
    send,
    new: startOver,
    sessions: choose,
    model: chooseModel,
    useModel: ({ id }) => useModel(id),
    upload: ({ name, base64 }) => files.upload(name, base64),
    visibility: ({ id, isVisible }) => visibility?.note(id, isVisible),
    review: ({ id }) => questions.review(id),
    acceptHunk: (message) => questions.acceptHunk(message),
    async readAloud({ id }) {
      const item = items.get(id);
      if (item?.kind === 'answer') await reading.read(item.markdown);
    },
    async edit({ id }) {
      if (conversation.mayChange()) tell({ type: 'edit', id, ...(await edits.begin(id)) });
    },
    async retry({ id }) {
      if (!conversation.mayChange()) return;
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
    conversation,
    reading,
    jobs,
    workspace.onDidChange(conversation.change),
    // The time of questions stands still without the focus.
    vscode.window.onDidChangeWindowState(() => {
      if (approvals.pending().length > 0) conversation.change();
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
    readLast: () => restored.then(() => reading.readLast(session())),
    dispose: () => store.dispose(),
  };
}
