// Threat: a page asks for one long transcript after the other, and reading them all stops the program. So one is read at a time, and of those
// that wait the last one alone.
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import { createSupersedingQueue } from '../../base/createSupersedingQueue.ts';
import { createDisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import type { Inbox } from '../../sessions/createInbox.ts';
import type { Session } from '../../sessions/session.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';
import { itemsOfEntries, timesOf, type ChatItems, type StoredFacts } from './chatItems.ts';
import { askingChat, createChatScreen, type PageHandlers } from './chatScreen.ts';
import type { ChatFrame, ChatItem, FromChatPage, ToChatPage } from './chatViewMessages.ts';

/** How many sessions a page is offered to choose from. */
const maxSessions = 50;

/** Answers the messages of one conversation, one at a time. */
export interface PageTurns {
  isBusy(): boolean;
  stop(): void;
}

/** What turns see of the page. Once another conversation stands there, nothing that they tell reaches it but a failure. */
export interface TurnSurface {
  readonly items: ChatItems;
  readonly nextId: () => string;
  /** False once the page shows another conversation. */
  readonly isHere: () => boolean;
  /** The session that the page shows, or showed when it was left. */
  readonly session: () => Session | undefined;
  readonly onProgress: (text: string) => void;
  /** The conversation goes on with another session; what stands in the page stays. */
  readonly goOn: (next: Session) => void;
  /** Shows another session. */
  readonly open: (next: Session) => Promise<void>;
  /** Takes the page back to an earlier message: no other conversation is shown meanwhile. */
  readonly whileGoingBack: <T>(work: () => Promise<T>) => Promise<T>;
  /** A message of a conversation that was left has failed; its words, and why. */
  readonly failedElsewhere: (message: string, why: string) => void;
}

/** The questions of the conversation that is shown. */
export interface PageQuestions extends Disposable {
  /** Shows what waits now. */
  readonly refresh: () => void;
  /** What waits in other conversations, oldest first. */
  elsewhere(): readonly ApprovalRequest[];
  /** The page begins anew: nothing of what it showed before counts as shown. */
  forgetShown(): void;
  /** All of the item was on screen. */
  noteShown(id: string): void;
  answer(message: Extract<FromChatPage, { type: 'answer' }>): Promise<void>;
}

/** A conversation that was opened, as it is about to be shown. */
export interface OpenedConversation {
  readonly lastTurn: LastTurn;
  /** How many of its oldest items are not shown. */
  readonly leftOut: number;
}

type LastTurn = 'running' | 'elsewhere' | 'interrupted' | 'ended';
type FindSession = () => Session | undefined | Promise<Session | undefined>;

interface ShownConversationParts<Turns extends PageTurns, Questions extends PageQuestions> {
  readonly conversations: {
    readonly sessions: Pick<SessionStore, 'open'>;
    readonly inbox: Inbox;
    readonly onDidChange: Event<void>;
    running(sessionId: string): object | undefined;
    stopTurn(sessionId: string): boolean;
    lastTurn(session: Session): Promise<LastTurn>;
    readWhole(sessionId: string): Promise<readonly SessionEntry[]>;
    create(): Session;
    reset(session: Session, action: 'new', next: Session): Promise<readonly string[]>;
    summaries(): ReturnType<SessionStore['summaries']>;
  };
  readonly approvals: Pick<ApprovalBroker, 'pending' | 'timeLeft' | 'onDidChange'>;
  readonly tell: (message: ToChatPage) => void;
  /** Whether a page is there, which says when it has drawn. */
  readonly isOpen: () => boolean;
  /** What the page gets of an item; undefined where that is none of its business. */
  readonly shown: (item: ChatItem) => ChatItem | undefined;
  readonly frame: (session: Session | undefined) => Pick<ChatFrame, 'title' | 'model' | 'speech'>;
  /** Called for each conversation that is shown. */
  readonly turns: (surface: TurnSurface) => Turns;
  readonly questions: (
    items: ChatItems,
    sessionId: () => string | undefined,
    say: (text: string) => void,
  ) => Questions;
  /** The conversation that the page begins with. `asking`: the one of the oldest question that waits. */
  readonly first: ((asking: FindSession) => Promise<Session | undefined>) | undefined;
  /** @throws PincerError `session_unknown` */
  readonly find: (id: string) => Promise<Session>;
  /** A new session of this agent; `key`: of the session in whose place it comes. */
  readonly begin: (agentId: string | undefined, key?: string) => Session;
  /** What is known of a stored conversation beside its transcript. */
  readonly readFacts?: (session: Session) => Promise<StoredFacts>;
  /** What stands there now comes from its transcript. */
  readonly onOpened: (opened: OpenedConversation) => void;
  /** Which session it is has changed. */
  readonly onSession?: (session: Session) => void;
  /** Says something where the person is. Default: in the page. */
  readonly say?: (text: string) => void;
  /** No conversation of the questions that wait elsewhere can be shown. */
  readonly sayElsewhere: () => void | Promise<void>;
  /** A conversation that can't be read is no reason to have no chat. */
  readonly failed: (why: unknown) => void;
  /** Tells of a failure of what nobody waits for. */
  readonly inBackground: (work: Promise<void>) => void;
  readonly texts: {
    readonly turnRuns: string;
    /** Of a turn that is none of the page's. */
    readonly showsLater: string;
    readonly failedElsewhere: (message: string, why: string) => string;
  };
}

/** The conversation that a chat page shows: it is opened, begun anew, left to itself and followed here. */
export interface ShownConversation<Turns, Questions> extends Disposable {
  readonly items: ChatItems;
  readonly questions: Questions;
  readonly nextId: () => string;
  readonly note: (icon: string, markdown: string) => void;
  /** Says something where the person is. */
  readonly say: (text: string) => void;
  /** Tells the page soon what has changed. */
  readonly change: () => void;
  /** Tells the page all of it. */
  showAll(): void;
  /** What of the page's messages is the same for every page. */
  readonly handlers: PageHandlers;
  /** The page is there, for the first time or again. `former`: what it showed before it was loaded again, its former self gone with it. */
  pageBegan(former: string | undefined): Promise<void>;
  /** Resolves once the conversation that the page begins with is shown. Never rejects. */
  readonly restored: Promise<void>;

  readonly session: () => Session | undefined;
  /** A new one where there is none. */
  readonly sessionOrNew: () => Session;
  readonly isRunning: () => boolean;
  /** False while a turn runs, which it says. */
  mayChange(): boolean;
  /** `starting`: the message before has not begun its turn. */
  state(): 'idle' | 'starting' | 'running';
  /** Has the turns answer a message that was sent from here. */
  answer(work: (turns: Turns) => Promise<void>): Promise<void>;
  /** Leaves words for the turn that runs. */
  sayMeanwhile(message: { readonly text: string; readonly as: 'steer' | 'followUp' }): Promise<void>;
  /** The words of a message that is not taken stand in the input again. */
  refuse(text: string, why: string): void;
  readonly stop: () => void;
  /** The conversation goes on with this session, of which these items are all. */
  replace(next: Session, items: readonly ChatItem[]): void;

  /** Offers the page the sessions to open. */
  offerSessions(): Promise<void>;
  /** Whether this conversation stands there, with no turn of the page, and none is being opened. */
  isSettledOn(id: string): boolean;
  /** Shows this session, and leaves a turn that runs here to itself; false where a message has come meanwhile, which it says. @throws PincerError `session_unknown` */
  openSession(id: string): Promise<boolean>;
  /** Begins a new conversation, and leaves a turn that runs here to itself. Gives what hooks say to the user; they are untrusted. */
  startOver(): Promise<readonly string[]>;
}

export function createShownConversation<Turns extends PageTurns, Questions extends PageQuestions>(
  parts: ShownConversationParts<Turns, Questions>,
): ShownConversation<Turns, Questions> {
  const { conversations, approvals, tell, texts } = parts;
  let session: Session | undefined;
  let progress = '';
  let ids = 0;
  const nextId = (): string => `page:${String((ids += 1))}`;

  // What the page is told
  const frame = (): ChatFrame => ({
    sessionId: session?.id ?? '',
    ...parts.frame(session),
    isRunning: isRunning(),
    progress: turns.isBusy() || !isRunning() ? progress : texts.showsLater,
    waiting: session === undefined ? [] : conversations.inbox.list(session.id),
    asksElsewhere: questions.elsewhere().length > 0,
    times: timesOf(items, approvals),
  });
  const { isOpen, shown } = parts;
  const screen = createChatScreen({ tell, isOpen, frame, shown, nextId });
  const { items, note } = screen;
  const say = parts.say ?? ((text: string): void => note('info', escapeMarkdown(text)));
  const questions = parts.questions(items, () => session?.id, say);
  const showAll = (): void => {
    questions.refresh();
    screen.showAll();
  };

  // What runs
  /** Turns of conversations that were left, by those: what has not begun can be stopped here alone. */
  const leftTurns = new Map<string, PageTurns>();
  const isRunningThere = ({ id }: Session): boolean => conversations.running(id) !== undefined;
  const isRunning = (): boolean =>
    turns.isBusy() ||
    (session !== undefined && (leftTurns.get(session.id)?.isBusy() === true || isRunningThere(session)));
  /** Turns of the conversation that stands there, until another one does: what they say after that is read from its transcript. */
  const beginTurns = (): { readonly turns: Turns; readonly leave: () => void } => {
    let isHere = true;
    let left: Session | undefined;
    const begun = parts.turns({
      items: {
        ...items,
        put(item) {
          if (isHere) items.put(item);
        },
      },
      nextId,
      isHere: () => isHere,
      session: () => (isHere ? session : left),
      onProgress(text) {
        if (!isHere) return;
        progress = text;
        screen.change();
      },
      goOn(next) {
        if (isHere) goOn(next);
        else left = next;
      },
      async open(next) {
        if (isHere) await open(() => next, { id: next.id });
      },
      async whileGoingBack(work) {
        goingBack += 1;
        try {
          return await work();
        } finally {
          goingBack -= 1;
        }
      },
      failedElsewhere: (message, why) =>
        note('error', escapeMarkdown(texts.failedElsewhere(inertLine(message, 60), why))),
    });
    const leave = (): void => {
      left = session;
      isHere = false;
      if (left !== undefined) leftTurns.set(left.id, begun);
    };
    return { turns: begun, leave };
  };
  let { turns, leave } = beginTurns();
  /** How many messages were sent from here. */
  let said = 0;
  let goingBack = 0;
  const unless = (isHeld: boolean): boolean => {
    if (isHeld) say(texts.turnRuns);
    return !isHeld;
  };
  const mayChange = (): boolean => unless(isRunning());

  // Which conversation it is
  const goOn = (next: Session): void => {
    session = next;
    parts.onSession?.(next);
  };
  /** A turn of this session that another surface runs is none of the page's: once it has ended, the page shows what it left. */
  let runsElsewhere = false;
  const openings = createSupersedingQueue();
  let opening = 0;
  /** Which was asked for last, as far as that is known. */
  let openingId: string | undefined;
  /**
   * Whether another conversation, asked for now, may be shown once it was read: a turn that runs here is left to itself, as one of another
   * surface is, unless it is of a message that has come meanwhile.
   */
  const leaving = (): (() => boolean) => {
    const saidBefore = said;
    return () => {
      if (!turns.isBusy()) return true;
      if (!unless(said !== saidBefore || goingBack > 0)) return false;
      leave();
      ({ turns, leave } = beginTurns());
      progress = '';
      return true;
    };
  };
  /** Shows the conversation that is found, once all of it is read: `isWanted` is asked then. */
  const open = (
    find: FindSession,
    {
      id,
      isWanted = () => true,
    }: { readonly id?: string | undefined; readonly isWanted?: () => boolean } = {},
  ): Promise<void> => {
    openingId = id;
    opening += 1;
    const opened = openings.run(async (superseded) => {
      const isLast = (): boolean => !superseded.aborted;
      const next = isLast() ? await find() : undefined;
      if (!isLast() || next === undefined) return;
      openingId = next.id;
      const ranBefore = isRunningThere(next);
      // Reads what other processes have added, too.
      const lastTurn = await conversations.lastTurn(next);
      await conversations.inbox.open(next.id);
      if (!isLast()) return;
      // A compaction takes what calls were about out of memory, not out of the file.
      const entries = next.isNew ? [] : await conversations.readWhole(next.id);
      const facts = await parts.readFacts?.(next);
      if (!isLast() || !isWanted()) return;
      goOn(next);
      // One that has ended since may have left something that was not read.
      runsElsewhere = ranBefore;
      const { items: stored, leftOut } = itemsOfEntries(entries, next.id, facts);
      items.replace(stored);
      parts.onOpened({ lastTurn, leftOut });
      showAll();
    });
    return opened.finally(() => {
      opening -= 1;
      followOthers();
    });
  };
  const followOthers = (): void => {
    for (const [id, each] of leftTurns) if (!each.isBusy()) leftTurns.delete(id);
    screen.change();
    // What is being opened takes the place of what has ended; it is looked at after that.
    if (opening > 0) return;
    const shownNow = session;
    const isElsewhere = shownNow !== undefined && !turns.isBusy() && isRunningThere(shownNow);
    const hasEnded = runsElsewhere && !isElsewhere && !turns.isBusy();
    runsElsewhere = isElsewhere;
    if (hasEnded && shownNow !== undefined)
      parts.inBackground(open(() => shownNow, { id: shownNow.id, isWanted: () => !turns.isBusy() }));
  };
  const asking = (): Promise<Session | undefined> =>
    askingChat(questions.elsewhere(), conversations.sessions, parts.failed);
  const restore = async (): Promise<void> => {
    const { first } = parts;
    if (first === undefined) return;
    try {
      await open(() => first(asking));
    } catch (error) {
      parts.failed(error);
    }
  };
  const restored = restore();

  const openSession = async (id: string): Promise<boolean> => {
    await restored;
    if (session?.id === id && turns.isBusy()) {
      openings.supersede();
      return true;
    }
    await open(() => parts.find(id), { id, isWanted: leaving() });
    return session?.id === id;
  };
  /** Shows the conversation of the oldest question that waits elsewhere. */
  const openAsking = async (): Promise<void> => {
    await restored;
    if (questions.elsewhere().length === 0) return;
    const found = async (): Promise<Session | undefined> => {
      const next = await asking();
      if (next === undefined) await parts.sayElsewhere();
      return next;
    };
    await open(found, { isWanted: leaving() });
  };
  const stop = (): void => {
    turns.stop();
    if (session === undefined) return;
    leftTurns.get(session.id)?.stop();
    conversations.stopTurn(session.id);
  };

  let hasBegun = false;
  const store = createDisposableStore();
  for (const each of [
    screen,
    questions,
    conversations.onDidChange(followOthers),
    conversations.inbox.onDidChange(screen.change),
    approvals.onDidChange(screen.change),
  ])
    store.add(each);
  return {
    ...{ items, questions, nextId, note, say, showAll, restored, isRunning, mayChange, stop, openSession },
    change: screen.change,
    handlers: {
      drawn: screen.drawn,
      stop,
      asking: openAsking,
      shown: ({ id }) => questions.noteShown(id),
      answer: (message) => questions.answer(message),
      unqueue: ({ id }) => session && conversations.inbox.remove(session.id, id),
    },
    async pageBegan(former) {
      // A page is loaded again once: it has no former self after that.
      const isFirst = !hasBegun;
      hasBegun = true;
      await restored;
      if (isFirst && former !== undefined && session?.id !== former && !turns.isBusy())
        await open(() => conversations.sessions.open(former), { id: former, isWanted: leaving() });
      questions.forgetShown();
      showAll();
    },
    session: () => session,
    sessionOrNew: () => (session ??= conversations.create()),
    state() {
      if (session !== undefined && isRunningThere(session)) return 'running';
      return isRunning() ? 'starting' : 'idle';
    },
    async answer(work) {
      said += 1;
      try {
        await work(turns);
      } finally {
        // A turn that was left and never began tells nobody that it is over.
        followOthers();
      }
    },
    async sayMeanwhile({ text, as }) {
      if (session === undefined) return;
      try {
        await conversations.inbox.add(session.id, as, text.trim());
      } catch (error) {
        // Nothing that was typed is lost.
        tell({ type: 'refused', text });
        throw error;
      }
    },
    refuse(text, why) {
      tell({ type: 'refused', text });
      say(why);
    },
    replace(next, shownNow) {
      openingId = next.id;
      openings.supersede();
      goOn(next);
      items.replace(shownNow);
    },
    async offerSessions() {
      const chats = (await conversations.summaries()).filter(({ kind }) => kind === 'chat');
      const rows = chats
        .slice(0, maxSessions)
        .map(({ id, title, updatedAt }) => ({ id, title, at: updatedAt }));
      tell({ type: 'choose', what: 'openSession', rows });
    },
    isSettledOn: (id) => session?.id === id && openingId === id && !turns.isBusy(),
    async startOver() {
      await restored;
      const before = session;
      // One that still runs is left and not ended: what comes does not take its place.
      if (before === undefined || isRunning()) {
        const next = parts.begin(before?.agentId);
        await open(() => next, { id: next.id, isWanted: leaving() });
        return [];
      }
      const next = parts.begin(before.agentId, before.key);
      const told = await conversations.reset(before, 'new', next);
      // Hooks take their time, and a message may have come meanwhile.
      await open(() => next, { id: next.id, isWanted: mayChange });
      return session === next ? told : [];
    },
    dispose: () => store.dispose(),
  };
}
