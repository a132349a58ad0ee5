import type { SubagentHookContext } from './hookContexts.ts';
import type { Modify, Observe } from './hookShape.ts';

/** `run`: for one task; `session`: a session that goes on. */
type SpawnMode = 'run' | 'session';

type Origin = Readonly<Record<string, unknown>>;

/** Hooks of agents that an agent starts. */
export interface SubagentHooks {
  subagent_spawning: Modify<
    SubagentSpawningEvent,
    SubagentHookContext,
    SubagentSpawningResult,
    SubagentSpawningOutcome
  >;
  subagent_delivery_target: Modify<
    SubagentDeliveryTargetEvent,
    SubagentHookContext,
    { readonly origin?: Origin },
    { readonly origin?: Origin }
  >;
  subagent_spawned: Observe<SubagentSpawnedEvent, SubagentHookContext>;
  subagent_progress: Observe<SubagentProgressEvent, SubagentHookContext>;
  subagent_ended: Observe<SubagentEndedEvent, SubagentHookContext>;
}

export interface SubagentSpawningEvent {
  readonly childSessionKey: string;
  readonly agentId: string;
  readonly label?: string;
  readonly mode: SpawnMode;
  readonly requester?: Origin;
  readonly threadRequested: boolean;
}

interface SubagentSpawningResult {
  readonly status: 'ok' | 'error';
  readonly error?: string;
  readonly threadBindingReady?: boolean;
  readonly deliveryOrigin?: Origin;
}

export type SubagentSpawningOutcome =
  | { readonly status: 'ok'; readonly threadBindingReady: boolean; readonly deliveryOrigin?: Origin }
  | { readonly status: 'error'; readonly pluginId: string; readonly error: string };

export interface SubagentDeliveryTargetEvent {
  readonly childSessionKey: string;
  readonly requesterSessionKey: string;
  readonly requesterOrigin?: Origin;
  readonly childRunId?: string;
  readonly spawnMode?: SpawnMode;
  readonly expectsCompletionMessage: boolean;
}

interface SubagentSpawnedEvent extends SubagentSpawningEvent {
  readonly runId: string;
}

type SubagentProgressEvent = {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly requester?: Origin;
} & (
  | { readonly phase: 'started' }
  | { readonly phase: 'ended'; readonly outcome: 'ok' | 'error' | 'timeout' | 'killed' | 'unknown' }
);

interface SubagentEndedEvent {
  readonly targetSessionKey: string;
  readonly targetKind: 'subagent' | 'acp';
  readonly reason: string;
  readonly runId?: string;
  readonly outcome?: 'ok' | 'error' | 'timeout' | 'killed' | 'reset' | 'deleted';
  readonly error?: string;
}
