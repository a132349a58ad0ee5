import type { PincerError } from '../base/errors.ts';
import type {
  AgentMessage,
  AssistantMessage,
  ToolCallPart,
  ToolResultMessage,
} from '../contracts/message.ts';
import type { Model } from '../contracts/model.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import { closeOpenCalls } from '../sessions/session.ts';
import { readAnswer } from './readAnswer.ts';

/** What the loop needs of the world. Every function is called in the order of the conversation, one at a time. */
export interface LoopPorts {
  /** Before each model call, with exactly what the model is about to get. */
  beforeModel(messages: readonly AgentMessage[]): void;
  /** Text as it arrives. */
  onText(text: string): void;
  /** After each model answer, failed and cancelled ones included. */
  afterModel(message: AssistantMessage, error: PincerError | undefined): void;
  /** Stores an answer that asks for tools, and gives back what the model may read of it (rulings T10). */
  store(message: AssistantMessage): Promise<AssistantMessage>;
  /** Carries out and stores one call. Rejects only with `cancelled`. */
  callTool(call: ToolCallPart): Promise<ToolResultMessage>;
  now(): number;
}

export interface LoopInput {
  readonly model: Model;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** The conversation so far; the user's message is the last. */
  readonly messages: readonly AgentMessage[];
  /** Model calls before the loop gives up. */
  readonly maxRounds: number;
  readonly signal: AbortSignal;
}

/** `final` is the answer without tool calls, not stored yet; `messages` is the conversation before it. */
export type LoopOutcome =
  | {
      readonly status: 'completed';
      readonly final: AssistantMessage;
      readonly messages: readonly AgentMessage[];
    }
  | { readonly status: 'cancelled'; readonly partial: AssistantMessage | undefined }
  | { readonly status: 'failed'; readonly error: PincerError; readonly partial: AssistantMessage | undefined }
  | { readonly status: 'limit' };

/** Asks the model, carries out its tool calls one after the other, and asks again, until it answers without a call. */
export async function runLoop(input: LoopInput, ports: LoopPorts): Promise<LoopOutcome> {
  const messages = [...input.messages];
  const isCancelled = (): boolean => input.signal.aborted;
  for (let round = 1; round <= input.maxRounds; round += 1) {
    if (isCancelled()) return { status: 'cancelled', partial: undefined };
    const readable = closeOpenCalls(messages);
    ports.beforeModel(readable);
    const { message, error } = await readAnswer(
      input.model,
      { ...input, messages: readable },
      (text) => ports.onText(text),
      () => ports.now(),
    );
    ports.afterModel(message, error);
    if (message.stopReason === 'aborted') return { status: 'cancelled', partial: withText(message) };
    if (error !== undefined) return { status: 'failed', error, partial: withText(message) };

    const calls = message.content.filter((part) => part.type === 'toolCall');
    if (calls.length === 0) return { status: 'completed', final: message, messages };
    messages.push(await ports.store(message));
    for (const call of calls) {
      if (isCancelled()) return { status: 'cancelled', partial: undefined };
      try {
        messages.push(await ports.callTool(call));
      } catch (error) {
        if (isCancelled()) return { status: 'cancelled', partial: undefined };
        throw error;
      }
    }
  }
  return { status: 'limit' };
}

function withText(message: AssistantMessage): AssistantMessage | undefined {
  return message.content.length === 0 ? undefined : message;
}
