import type { Params } from './jsonTypes.ts';
import type { AgentMessage, StopReason, TokenUsage } from './message.ts';
import type { ToolDefinition } from './tool.ts';

/** Names a model: `provider` is the registry's id, `model` the provider's own name for it. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** How much a model may think before it answers; upstream's words. */
export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** What a request may ask of any model; a model leaves out what it can't do. */
export interface ModelSettings {
  /** 0 to 2. */
  readonly temperature?: number;
  /** Tokens of one answer, thinking included. */
  readonly maxTokens?: number;
  readonly thinking?: ThinkingLevel;
}

/** US dollars for a million tokens. */
export interface ModelCost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface ModelInfo extends ModelRef {
  /** What a person reads in the picker. */
  readonly name: string;
  /** One line under the name: where it runs, or that it is no AI. */
  readonly detail?: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly toolCalling: boolean;
  /** True where it reads images. */
  readonly imageInput?: boolean;
  /** True where it can be asked to think, and how much. */
  readonly thinking?: boolean;
  /** Absent where nobody said what it costs: no number is made up. */
  readonly cost?: ModelCost;
  /** What its server speaks, by upstream's names: `openai-completions`, `anthropic-messages`, `google-generative-ai`. Absent where no server is asked. */
  readonly api?: string;
  /** How its server's answer arrives. Absent where no server is asked. */
  readonly transport?: 'sse';
  /** Who said how long the window is: the config, or nobody; absent, the model itself. Upstream's words. */
  readonly contextWindowSource?: 'model' | 'modelsConfig' | 'default';
}

export interface ModelRequest {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
  /** Names the conversation to servers that cache by it. */
  readonly sessionId?: string;
  /** Gets the server's stream as it arrives, before anything reads it; must not throw. */
  readonly onRaw?: (chunk: string) => void;
  /** Gives the body that is sent in place of the one that was written, where a server is asked; what it throws fails the answer. */
  readonly rewriteBody?: (
    body: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly signal: AbortSignal;
}

/**
 * What a model's stream yields, in the order the model wrote it. A tool call is yielded once, when its arguments are
 * complete and parsed. `done` comes last and exactly once; a stream that ends without it is malformed.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Ends a thought: what has to be given back with it. */
  | { readonly type: 'thinkingEnd'; readonly signature?: string; readonly redacted?: boolean }
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly name: string;
      readonly arguments: Params;
      /** Why its arguments can't be read; then there are none. */
      readonly problem?: string;
      readonly thoughtSignature?: string;
    }
  /** Only before anything else of an answer: it failed, and is asked for again after `waitMs`. */
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly waitMs: number;
      readonly because: ModelFailure;
    }
  /** Only before anything else of an answer: another model answers in its place. */
  | { readonly type: 'fallback'; readonly to: ModelInfo; readonly because: ModelFailure }
  | {
      readonly type: 'done';
      readonly stopReason: StopReason;
      readonly usage?: TokenUsage;
      /** The server's own name of the request, where it gave one. */
      readonly requestId?: string;
    };

/** Why a model could not answer, as people may read it. */
export interface ModelFailure {
  readonly code: string;
  readonly message: string;
}

/** One model that can be asked. Implementations hold no conversation: each request carries all of it. */
export interface Model {
  readonly info: ModelInfo;
  /**
   * Starts an answer. The stream throws a `PincerError` whose code starts with `model_` on any failure (`model_no_key`,
   * `model_unauthorized`, `model_quota`, `model_rate_limited`, `model_timeout`, `model_offline`, `model_unavailable`,
   * `model_gone`, `model_refused`, `model_malformed`, `model_context_overflow`, `model_aborted`), each with the one step that helps
   * as its hint, and stops within one event after `request.signal` aborts.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
