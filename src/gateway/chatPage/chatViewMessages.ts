import { isRecord } from '../../base/json.ts';

/** What a reader sees of a conversation, one below the other. Texts are plain unless they are called markdown. */
export type ChatItem =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly text: string;
      readonly attached: readonly string[];
      /** The turn that it began, where that can be gone back to. */
      readonly turn?: TurnPlace;
      /** The turn that it went on with: going back to it would take away what it had to finish. */
      readonly resumed?: TurnPlace;
    }
  /** A model's words: markdown that runs nothing. `files`: what of its inline code names a file of the workspace. */
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly markdown: string;
      readonly files: readonly string[];
    }
  /** One call; of one that a transcript holds no more is said than that it was made (`kept`). `opens` is there once it can be read whole. */
  | {
      readonly kind: 'step';
      readonly id: string;
      readonly state: 'running' | 'done' | 'failed' | 'stopped' | 'kept';
      readonly title: string;
      readonly facts: readonly string[];
      /** The last lines of what a call that runs has written so far. */
      readonly output?: string;
      /** The command of the call goes on in the background, under this name. */
      readonly job?: string;
      readonly opens?: CallLink;
    }
  | QuestionItem
  /** A line of our own: its command links work. */
  | {
      readonly kind: 'note';
      readonly id: string;
      readonly icon: string;
      readonly markdown: string;
      readonly file?: string;
      /** How the file is named in it. */
      readonly name?: string;
      /** A command that goes on in the background, of a step that stands there no more. */
      readonly job?: string;
    };

export interface TurnPlace {
  readonly sessionId: string;
  readonly runId: string;
}

export interface CallLink {
  readonly sessionId: string;
  readonly runId: string;
  readonly toolCallId: string;
}

/** A question that waits, or what was answered. */
export interface QuestionItem {
  readonly kind: 'question';
  /** Of the approval. */
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly title: string;
  readonly description: string;
  /** Commands, addresses and parameters, hidden characters as codes; markdown that runs nothing. */
  readonly markdown: string;
  readonly files: readonly QuestionFile[];
  /** False where something is cut: then it has to be read elsewhere before a yes. */
  readonly isWhole: boolean;
  /** In this order; none once it was answered. A yes is among them only where all of the call stands in the item or was read elsewhere. */
  readonly choices: readonly QuestionChoice[];
  /** That it waits, its time aside; what was answered, and by whom, once it was. */
  readonly status: string;
  /** Why a click on a yes did not count. */
  readonly notice?: string;
}

/** One changed file of a question, with its hunks. */
export interface QuestionFile {
  readonly label: string;
  /** `new`, `deleted`, or why it can't be written; empty where nothing is to be said. */
  readonly fate: string;
  readonly hunks: readonly QuestionHunk[];
}

interface QuestionHunk {
  readonly label: string;
  /** Each with its sign in front. */
  readonly lines: readonly string[];
  readonly isAccepted: boolean;
}

const answers = ['once', 'turn', 'session', 'always', 'deny'] as const;
export type QuestionAnswer = (typeof answers)[number];

export interface QuestionChoice {
  /** `review` opens the diff or the whole call. */
  readonly does: QuestionAnswer | 'review';
  readonly title: string;
}

/** A message that waits until the turn reads it. */
interface WaitingItem {
  readonly id: string;
  readonly text: string;
  readonly kind: 'steer' | 'followUp';
  /** Absent, the user said it. */
  readonly from?: 'agent';
}

/** What stands around the conversation. */
export interface ChatFrame {
  /** Of the conversation; empty before there is one. */
  readonly sessionId: string;
  readonly title: string;
  readonly model: string;
  readonly isRunning: boolean;
  /** What the turn does now, where no item says it; empty otherwise. */
  readonly progress: string;
  readonly waiting: readonly WaitingItem[];
  /** A question waits in another conversation. */
  readonly asksElsewhere: boolean;
  /** Of the questions that wait: a question is not drawn anew for them, since that swallows the click that is on its way. */
  readonly times: readonly QuestionTime[];
  /** Undefined where no plugin reads aloud. */
  readonly speech: SpeechFrame | undefined;
}

/** What is left of the time of a question. */
export interface QuestionTime {
  readonly id: string;
  /** Milliseconds, when it was told. */
  readonly ms: number;
  /** False while nobody has the window before them. */
  readonly isRunning: boolean;
}

/** What is read aloud. `blocked`: the audio waits for a click, since VS Code plays nothing that the user has not begun. */
export interface SpeechFrame {
  readonly state: 'idle' | 'asking' | 'playing' | 'blocked';
  /** What happens, in words; empty where nothing does. */
  readonly text: string;
}

export interface Clip {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

const playedStates = ['playing', 'blocked', 'ended', 'failed'] as const;
/** What has become of a clip. */
export type Played = (typeof playedStates)[number];

/** An offer of the list that opens with `/` or `#`. */
export interface Offer {
  /** What takes the place of what was typed: `/help`, or the path of a file. */
  readonly value: string;
  readonly description: string;
  /** A command of our own. */
  readonly isOwn?: boolean;
  /** Behind `#`: words for the message, and no file to attach. */
  readonly isText?: boolean;
}

/** Stands for what was attached to a message when it was said. */
export const keptUri = 'pincer-kept:attached';

export interface Attached {
  readonly uri: string;
  readonly label: string;
}

/** What the editor tells the page. `show` replaces everything; `change` replaces items by their id, and adds those that are new. */
export type ToChatPage =
  | { readonly type: 'show'; readonly items: readonly ChatItem[]; readonly frame: ChatFrame }
  | { readonly type: 'change'; readonly items: readonly ChatItem[]; readonly frame: ChatFrame }
  | { readonly type: 'offers'; readonly query: string; readonly offers: readonly Offer[] }
  /** A message that was not taken: its words stand in the input again. */
  | { readonly type: 'refused'; readonly text: string }
  /** Words for the input. */
  | { readonly type: 'insert'; readonly text: string }
  /** An earlier message to be changed, by the id of its item. */
  | {
      readonly type: 'edit';
      readonly id: string;
      readonly text: string;
      readonly attached: readonly Attached[];
    }
  | { readonly type: 'attached'; readonly attached: readonly Attached[] }
  /** To be chosen from, in a page outside of VS Code. */
  | {
      readonly type: 'choose';
      readonly what: 'openSession' | 'useModel';
      /** `at`: when it was last used, in milliseconds since the epoch. */
      readonly rows: readonly { readonly id: string; readonly title: string; readonly at?: number }[];
    }
  /** In place of what is played. */
  | { readonly type: 'play'; readonly clip: Clip }
  | { readonly type: 'silence' };

/** What the page tells the editor. It comes from a page: checked before use. */
export type FromChatPage =
  /** `sessionId`: what the page showed before it was loaded again. */
  | { readonly type: 'ready'; readonly sessionId?: string }
  /** The last `show` or `change` is on screen. */
  | { readonly type: 'drawn' }
  | {
      readonly type: 'send';
      readonly text: string;
      readonly attached: readonly string[];
      /** Of a message that comes while a turn runs. */
      readonly as: 'steer' | 'followUp';
      /** The item of a message of the user: this one is said in its place, and what came after it is taken back. */
      readonly before?: string;
    }
  /** `asking`: shows the conversation in which a question waits. */
  | { readonly type: 'stop' | 'new' | 'sessions' | 'model' | 'silence' | 'asking' }
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly answer: QuestionAnswer;
      readonly why: string;
      /** By the key of the input, not on the question. */
      readonly isByKey: boolean;
    }
  | {
      readonly type:
        'review' | 'shown' | 'unqueue' | 'readAloud' | 'openSession' | 'useModel' | 'edit' | 'retry';
      readonly id: string;
    }
  /** A question that was `shown` has left the part that is on screen, or is back in it, and stays so. */
  | { readonly type: 'visibility'; readonly id: string; readonly isVisible: boolean }
  | { readonly type: 'played'; readonly clip: number; readonly state: Played }
  | {
      readonly type: 'acceptHunk';
      readonly id: string;
      readonly file: number;
      readonly hunk: number;
      readonly isAccepted: boolean;
    }
  | { readonly type: 'call'; readonly call: CallLink }
  /** A link of an item: of ours it may run a command, of others it is an address or a file of the workspace. */
  | { readonly type: 'link'; readonly id: string; readonly href: string }
  | { readonly type: 'offer'; readonly query: string }
  | { readonly type: 'attach'; readonly uris: readonly string[] }
  /** A file without an address that VS Code could read; no bytes where it is too large. */
  | { readonly type: 'upload'; readonly name: string; readonly base64: string };

/** How large an upload may be: one frame of the gateway holds it. */
export const maxUploadBytes = 1_300_000;
/** How much one message may hold: characters, and files. The input takes no more, and says so. */
export const maxText = 200_000;
export const maxAttached = 50;
export const maxUri = 4_096;

/** Undefined for anything else than a message of the page. */
export function readFromChatPage(message: unknown): FromChatPage | undefined {
  if (!isRecord(message)) return undefined;
  const text = (key: string): string | undefined => {
    const value = message[key];
    return typeof value === 'string' && value.length <= maxText ? value : undefined;
  };
  const texts = (key: string): readonly string[] | undefined => {
    const value = message[key];
    const isList = Array.isArray(value) && value.length <= maxAttached;
    return isList && value.every((each) => typeof each === 'string' && each.length <= maxUri)
      ? (value as string[])
      : undefined;
  };
  const index = (key: string): number | undefined => {
    const value = message[key];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  const id = text('id');
  switch (message['type']) {
    case 'ready': {
      const sessionId = text('sessionId');
      return { type: 'ready', ...(sessionId === undefined ? {} : { sessionId }) };
    }
    case 'drawn':
    case 'stop':
    case 'new':
    case 'sessions':
    case 'model':
    case 'silence':
    case 'asking':
      return { type: message['type'] };
    case 'send': {
      const [said, attached] = [text('text'), texts('attached')];
      if (said === undefined || attached === undefined) return undefined;
      const before = text('before');
      const as = message['as'] === 'steer' ? 'steer' : 'followUp';
      return { type: 'send', text: said, attached, as, ...(before === undefined ? {} : { before }) };
    }
    case 'answer': {
      const answer = answers.find((each) => each === message['answer']);
      const why = text('why');
      return id === undefined || answer === undefined || why === undefined
        ? undefined
        : { type: 'answer', id, answer, why, isByKey: message['isByKey'] === true };
    }
    case 'review':
    case 'shown':
    case 'unqueue':
    case 'readAloud':
    case 'openSession':
    case 'useModel':
    case 'edit':
    case 'retry':
      return id === undefined ? undefined : { type: message['type'], id };
    case 'visibility':
      return id === undefined
        ? undefined
        : { type: 'visibility', id, isVisible: message['isVisible'] === true };
    case 'played': {
      const [clip, state] = [index('clip'), playedStates.find((each) => each === message['state'])];
      return clip === undefined || state === undefined ? undefined : { type: 'played', clip, state };
    }
    case 'acceptHunk': {
      const [file, hunk] = [index('file'), index('hunk')];
      if (id === undefined || file === undefined || hunk === undefined) return undefined;
      return { type: 'acceptHunk', id, file, hunk, isAccepted: message['isAccepted'] === true };
    }
    case 'call': {
      const call = isRecord(message['call']) ? message['call'] : {};
      const { sessionId, runId, toolCallId } = call;
      return typeof sessionId === 'string' && typeof runId === 'string' && typeof toolCallId === 'string'
        ? { type: 'call', call: { sessionId, runId, toolCallId } }
        : undefined;
    }
    case 'link': {
      const href = text('href');
      return id === undefined || href === undefined ? undefined : { type: 'link', id, href };
    }
    case 'offer': {
      const query = text('query');
      return query === undefined ? undefined : { type: 'offer', query };
    }
    case 'attach': {
      const uris = texts('uris');
      return uris === undefined ? undefined : { type: 'attach', uris };
    }
    case 'upload': {
      const { name, base64 } = message;
      const isFile = typeof name === 'string' && name.length <= 500 && typeof base64 === 'string';
      return isFile && base64.length <= (maxUploadBytes * 4) / 3 + 4
        ? { type: 'upload', name, base64 }
        : undefined;
    }
    default:
      return undefined;
  }
}
