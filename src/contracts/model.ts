import type { Params } from './json.ts';
import type { AgentMessage, StopReason, TokenUsage } from './message.ts';
import type { ToolDefinition } from './tool.ts';

/** Names a model: `provider` is the registry's id, `model` the provider's own name for it. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

export interface ModelInfo extends ModelRef {
  /** What a person reads in the picker. */
  readonly name: string;
  /** One line under the name: where it runs, or that it is no AI. */
  readonly detail?: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly toolCalling: boolean;
}

export interface ModelRequest {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
}

/**
 * What a model's stream yields, in the order the model wrote it. A tool call is yielded once, when its arguments are
 * complete and parsed. `done` comes last and exactly once; a stream that ends without it is malformed.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: Params }
  | { readonly type: 'done'; readonly stopReason: StopReason; readonly usage?: TokenUsage };

/** One model that can be asked. Implementations hold no conversation: each request carries all of it. */
export interface Model {
  readonly info: ModelInfo;
  /**
   * Starts an answer. The stream throws a `PincerError` whose code starts with `model_` on any failure
   * (`model_unauthorized`, `model_rate_limited`, `model_timeout`, `model_unavailable`, `model_malformed`,
   * `model_context_overflow`, `model_aborted`), and stops within one event after `request.signal` aborts.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
