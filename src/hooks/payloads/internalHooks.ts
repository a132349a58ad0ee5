import type { Modify } from './hookShape.ts';

/** What operator hooks and legacy listeners of plugins are told; adapters of the host register for it. */
export interface InternalHooks {
  internal_event: Modify<
    InternalEvent,
    { readonly sessionKey: string },
    Partial<InternalOutcome>,
    InternalOutcome
  >;
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
