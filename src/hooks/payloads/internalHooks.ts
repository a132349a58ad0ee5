import type { ToolResult } from '../../contracts/tool.ts';
import type { Modify } from './hookShape.ts';

/** What operator hooks and legacy listeners of plugins are told; adapters of the host register for it. */
export interface InternalHooks {
  internal_event: Modify<
    InternalEvent,
    { readonly sessionKey: string },
    Partial<InternalOutcome>,
    InternalOutcome
  >;
  tool_result_middleware: Modify<
    ToolResultMiddlewareEvent,
    ToolResultMiddlewareContext,
    { readonly result?: ToolResult },
    ToolResultMiddlewareOutcome
  >;
}

/** The result of a call that ran, before a model reads it (OpenClaw documentation, Agent harness attempt runtime, Tool-result middleware). */
export interface ToolResultMiddlewareEvent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The first workspace folder. */
  readonly cwd?: string;
  readonly isError: boolean;
  readonly result: ToolResult;
}

export interface ToolResultMiddlewareContext {
  readonly runtime: 'openclaw';
  readonly agentId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly runId: string;
}

export interface ToolResultMiddlewareOutcome {
  readonly result: ToolResult;
  /** Whose middleware failed: what it was to take out may still be in the result. */
  readonly failedIn?: string;
}

/** The families of internal events (OpenClaw hooks). */
export type InternalEventType = 'command' | 'session' | 'agent' | 'gateway' | 'message';

/** What a handler gets (upstream's shape). */
export interface InternalEvent {
  readonly type: InternalEventType;
  readonly action: string;
  /** Empty where the event belongs to no session. */
  readonly sessionKey: string;
  readonly timestamp: Date;
  /** Texts for the user; a handler pushes its own and sees those of the handlers before it. */
  messages: string[];
  /** Facts of the event; `env` is the handler's own, from its entry in the config. What a handler changes, later ones see. */
  context: Record<string, unknown>;
}

/** What handlers have left in the event. */
export type InternalOutcome = Pick<InternalEvent, 'messages' | 'context'>;
