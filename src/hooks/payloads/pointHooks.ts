import type { ModelInfo, ModelSettings } from '../../contracts/model.ts';
import type { Tenant } from '../../contracts/tenant.ts';
import type { Modify } from './hookShape.ts';

/**
 * Moments of a turn at which a payload goes from handler to handler, each of which may replace fields of it or stop the operation.
 * Adapters of the host register for them; `api.on` knows none.
 */
export interface PointHooks {
  beforeLLMRequest: Point<RequestPayload>;
  beforeToolCall: Point<CallPayload>;
  afterToolResult: Point<ResultPayload>;
  beforeResponse: Point<AnswerPayload>;
}

export type PointName = keyof PointHooks;

type Point<Payload> = Modify<Payload, PointContext, PointResult, HandledPayload<Payload>>;

/** The turn, and where there is one the call, that a payload belongs to. */
export interface PointContext {
  readonly runId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly tenant?: Tenant;
  readonly model: ModelInfo;
  readonly settings?: ModelSettings;
  readonly toolName?: string;
  readonly toolCallId?: string;
}

/** What one handler makes of a payload; an adapter has read and checked it. */
export interface PointResult {
  /** Fields to replace; nobody else has a hold of what is in them. */
  readonly modify?: Readonly<Record<string, unknown>>;
  readonly block?: Omit<PointBlock, 'pluginId'>;
}

export interface HandledPayload<Payload> {
  /** The emitter's own where nobody changed it; as it was when it was stopped, where it was. */
  readonly payload: Payload;
  readonly block?: PointBlock;
}

export interface PointBlock {
  /** Who stopped it. */
  readonly pluginId: string;
  /** For the user, or the model; its own words, or that it failed. They may quote what was stopped. */
  readonly message: string;
  /** What a server answers that passes the block on. */
  readonly httpStatus: number;
  /** `PLUGIN_BLOCKED_EXECUTION`, or why it could not be judged: `PLUGIN_EXECUTION_FAILED` and the like. */
  readonly code: string;
  readonly notices: readonly PointNotice[];
}

/** What a handler tells beside its decision. */
export interface PointNotice {
  readonly kind: 'allow' | 'block' | 'warn' | 'info';
  readonly code?: string;
  readonly message: string;
}

export interface RequestPayload {
  readonly text: string;
  readonly imageData?: { readonly image: string; readonly mimeType: string };
  readonly fileData?: { readonly data: string; readonly mimeType: string; readonly filename?: string };
  readonly sessionId?: string;
}

interface CallPayload {
  readonly toolName: string;
  readonly args: unknown;
  readonly sessionId?: string;
  readonly callId?: string;
}

interface ResultPayload {
  readonly toolName: string;
  /** What the tool gave; `{ error }` where it failed. */
  readonly result: unknown;
  readonly success: boolean;
  readonly sessionId?: string;
  readonly callId?: string;
}

export interface AnswerPayload {
  readonly content: string;
  readonly reasoning?: string;
  readonly provider: string;
  readonly model?: string;
  readonly router?: string;
  readonly tokenUsage?: { readonly input: number; readonly output: number };
  readonly sessionId?: string;
}
