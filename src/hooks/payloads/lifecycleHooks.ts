import type {
  GatewayHookContext,
  InstallHookContext,
  InstallRequestKind,
  InstallTargetType,
} from './hookContexts.ts';
import type { Modify, Observe } from './hookShape.ts';

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
