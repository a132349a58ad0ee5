import type { Params } from './json.ts';

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

/** One tool call inside an assistant message. Field names are OpenClaw's: plugins see them in `tool_result_persist`. */
export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: Params;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** Why a model stopped: a final answer, tool calls to carry out, its own length limit, a cancel, or a failure. */
export type StopReason = 'stop' | 'toolUse' | 'length' | 'aborted' | 'error';

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextPart | ImagePart)[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ToolCallPart)[];
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
  /** For people and plugins; never sent to a model (rulings T10). */
  readonly details?: unknown;
  readonly isError: boolean;
  readonly timestamp: number;
}

/** What a transcript holds and a model reads. */
export type AgentMessage = UserMessage | AssistantMessage | ToolResultMessage;
