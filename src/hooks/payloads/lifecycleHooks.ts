import type {
  GatewayHookContext,
  InstallHookContext,
  InstallRequestKind,
  InstallTargetType,
  AgentHookContext,
  SessionHookContext,
  SubagentHookContext,
} from './hookContexts.ts';
import type { Modify, Observe } from './hookShape.ts';
import type { AgentMessage } from '../../contracts/message.ts';

/** Hooks of the runtime itself. */
export interface LifecycleHooks {
  gateway_start: Observe<GatewayStartEvent, GatewayHookContext>;
  gateway_stop: Observe<GatewayStopEvent, GatewayHookContext>;
  cron_changed: Observe<CronChangedEvent, GatewayHookContext>;
  cron_reconciled: Observe<CronReconciledEvent, GatewayHookContext>;
  before_install: Modify<BeforeInstallEvent, InstallHookContext, BeforeInstallResult, BeforeInstallOutcome>;
}

interface GatewayStartEvent {
  /** Absent while no gateway runs. */
  readonly port?: number;
}

interface GatewayStopEvent {
  readonly reason?: string;
}

export interface CronChangedEvent {
  readonly action: 'added' | 'updated' | 'removed' | 'started' | 'finished' | 'scheduled';
  readonly jobId: string;
  readonly job?: Readonly<Record<string, unknown>>;
  readonly sessionTarget?: string;
  readonly agentId?: string;
  /** Times are milliseconds since the epoch. */
  readonly runAtMs?: number;
  readonly durationMs?: number;
  readonly status?: 'ok' | 'error' | 'skipped';
  readonly completionStatus?: 'succeeded' | 'failed' | 'unknown';
  readonly error?: string;
  readonly summary?: string;
  readonly delivered?: boolean;
  readonly deliveryStatus?: 'not-requested' | 'delivered' | 'not-delivered' | 'unknown';
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly runId?: string;
  readonly nextRunAtMs?: number;
  readonly model?: string;
  readonly provider?: string;
}

interface CronReconciledEvent {
  readonly reason: 'startup' | 'reload';
  /** False where no job starts by itself. */
  readonly enabled: boolean;
}

export interface BeforeInstallEvent {
  readonly targetType: InstallTargetType;
  readonly targetName: string;
  /** Absolute. */
  readonly sourcePath: string;
  readonly sourcePathKind: 'file' | 'directory';
  readonly origin?: string;
  readonly request: {
    readonly kind: InstallRequestKind;
    readonly mode: 'install' | 'update';
    readonly requestedSpecifier?: string;
  };
  readonly builtinScan: InstallScan;
  readonly skill?: { readonly installId: string };
  readonly plugin?: {
    readonly pluginId: string;
    readonly contentType: 'bundle' | 'package' | 'file';
    readonly packageName?: string;
    readonly manifestId?: string;
    readonly version?: string;
    readonly extensions?: readonly string[];
  };
}

/** What the host found in the files. */
interface InstallScan {
  readonly status: 'ok' | 'error';
  readonly scannedFiles: number;
  readonly critical: number;
  readonly warn: number;
  readonly info: number;
  readonly findings: readonly InstallFinding[];
  readonly error?: string;
}

interface InstallFinding {
  readonly ruleId: string;
  readonly severity: 'info' | 'warn' | 'critical';
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

interface BeforeInstallResult {
  readonly findings?: readonly unknown[];
  readonly block?: boolean;
  readonly blockReason?: string;
}

export interface BeforeInstallOutcome {
  readonly findings: readonly unknown[];
  readonly block?: { readonly pluginId: string; readonly reason: string };
}

/** Hooks of a session's life and of compaction. */
export interface SessionHooks {
  session_start: Observe<SessionStartEvent, SessionHookContext>;
  session_end: Observe<SessionEndEvent, SessionHookContext>;
  before_compaction: Observe<BeforeCompactionEvent, AgentHookContext>;
  after_compaction: Observe<AfterCompactionEvent, AgentHookContext>;
  before_reset: Observe<BeforeResetEvent, AgentHookContext>;
}

interface SessionStartEvent {
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly resumedFrom?: string;
}

export type SessionEndReason =
  'new' | 'reset' | 'idle' | 'daily' | 'compaction' | 'deleted' | 'shutdown' | 'restart' | 'unknown';

export interface SessionEndEvent {
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly messageCount: number;
  readonly durationMs?: number;
  readonly reason?: SessionEndReason;
  readonly sessionFile?: string;
  readonly transcriptArchived?: boolean;
  readonly nextSessionId?: string;
  readonly nextSessionKey?: string;
}

interface BeforeCompactionEvent {
  readonly messageCount: number;
  readonly compactingCount?: number;
  readonly tokenCount?: number;
  readonly messages?: readonly AgentMessage[];
  readonly sessionFile?: string;
}

interface AfterCompactionEvent {
  readonly messageCount: number;
  readonly compactedCount: number;
  readonly tokenCount?: number;
  readonly sessionFile?: string;
}

interface BeforeResetEvent {
  readonly sessionFile?: string;
  readonly messages?: readonly AgentMessage[];
  readonly reason?: string;
}

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
