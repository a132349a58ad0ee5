import type { GatewayHookContext, InstallHookContext } from './hookContexts.ts';
import type { Modify, Observe } from './hookShape.ts';

/** Hooks of the runtime itself. */
export interface LifecycleHooks {
  gateway_start: Observe<GatewayStartEvent, GatewayHookContext>;
  gateway_stop: Observe<GatewayStopEvent, GatewayHookContext>;
  cron_changed: Observe<CronChangedEvent, GatewayHookContext>;
  before_install: Modify<BeforeInstallEvent, InstallHookContext, BeforeInstallResult, BeforeInstallOutcome>;
}

export interface GatewayStartEvent {
  /** Absent while no gateway runs. */
  readonly port?: number;
}

export interface GatewayStopEvent {
  readonly reason?: string;
}

export interface CronChangedEvent {
  readonly action: 'added' | 'updated' | 'removed' | 'started' | 'finished' | 'scheduled';
  readonly jobId: string;
  readonly job?: Readonly<Record<string, unknown>>;
  readonly status?: string;
  readonly deliveryStatus?: 'not-requested' | 'delivered' | 'not-delivered' | 'unknown';
}

export interface BeforeInstallEvent {
  readonly targetType: string;
  readonly targetName: string;
  readonly sourcePath: string;
  readonly request?: unknown;
  readonly builtinScan?: unknown;
  readonly skill?: unknown;
  readonly plugin?: unknown;
}

export interface BeforeInstallResult {
  readonly findings?: readonly unknown[];
  readonly block?: boolean;
  readonly blockReason?: string;
}

export interface BeforeInstallOutcome {
  readonly findings: readonly unknown[];
  readonly block?: { readonly pluginId: string; readonly reason: string };
}
