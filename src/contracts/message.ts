import type { Params } from './jsonTypes.ts';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** True for what was added to a user's words: an attached file, a plugin's context. */
  readonly isContext?: boolean;
}

export interface ImagePart {
  readonly type: 'image';
  /** Base64 without a data URL prefix. */
  readonly data: string;
  readonly mimeType: string;
}

/** What a model thought before it answered. Some servers refuse the next request unless they get it back as it was. */
export interface ThinkingPart {
  readonly type: 'thinking';
  /** Empty where the server keeps it to itself. */
  readonly thinking: string;
  /** The server's own signature, given back unread. */
  readonly thinkingSignature?: string;
  /** True where `thinkingSignature` is all there is: the server hid the text. */
  readonly redacted?: boolean;
}

/** One tool call inside an assistant message. Field names are OpenClaw's: plugins see them in `tool_result_persist`. */
export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: Params;
  /** Why its arguments can't be read, for the model: such a call has none, and is not carried out. */
  readonly problem?: string;
  /** The server's own signature of the thought behind the call, given back unread. */
  readonly thoughtSignature?: string;
}

/** Tokens as the server counted them. `input` holds what was read from and written to its cache, too. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Why a model stopped: a final answer, tool calls to carry out, its own length limit, a cancel, or a failure. */
export type StopReason = 'stop' | 'toolUse' | 'length' | 'aborted' | 'error';

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextPart | ImagePart)[];
  /** How it came, where it did not begin the turn: said while the turn ran, or queued for its end. */
  readonly via?: 'steer' | 'followUp';
  /** Stands for words that a gate blocked with a category: which plugin did and its word for why; `timestamp` says when. */
  readonly blocked?: { readonly by: string; readonly category: string };
  /** The waiting message that this is (`src/sessions/inbox.ts`): after a crash it is not read a second time. */
  readonly inboxId?: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ThinkingPart | ToolCallPart)[];
  readonly provider: string;
  readonly model: string;
  readonly usage?: TokenUsage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: 'toolResult';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextPart | ImagePart)[];
  /** For people and plugins; never sent to a model. */
  readonly details?: unknown;
  readonly isError: boolean;
  readonly timestamp: number;
}

/** What a transcript holds and a model reads. */
export type AgentMessage = UserMessage | AssistantMessage | ToolResultMessage;
