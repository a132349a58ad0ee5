import type { ApprovalMode } from '../approvals/approvalModes.ts';
import type { SessionStatus } from '../tools/core/sessionStatus.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import type { Commands } from './createCommands.ts';
import type { CurrentRun } from './createRuns.ts';

/** What the tool `session_status` may tell the model of its session. */
export function describeSession(facts: {
  readonly sessionKey: string;
  readonly run: CurrentRun | undefined;
  readonly now: number;
  readonly layout: WorkspaceLayout;
  readonly isTrusted: boolean;
  readonly approvals: ApprovalMode;
  readonly commands: Commands;
}): SessionStatus {
  const { sessionKey, run, layout, isTrusted, approvals, commands } = facts;
  const place = commands.place();
  return {
    sessionKey,
    model: run === undefined ? 'unknown' : `${run.model.provider}/${run.model.model}`,
    now: localTime(new Date(facts.now)),
    folders: layout.roots,
    isTrusted,
    approvals,
    execHost: typeof place === 'string' ? place : `nowhere: ${place.unavailable}`,
    runningJobs: commands.jobs.list(sessionKey).filter((job) => job.end() === undefined).length,
    hiddenTools: run?.hidden.map(({ name, reason }) => `${name}: ${reason}`) ?? [],
  };
}

/** ISO 8601 with the offset of this machine's time zone. */
function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const pad = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${pad(offset / 60)}:${pad(offset % 60)}`;
}
