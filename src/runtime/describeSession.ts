import { describeContext, describeSum } from '../agent/context/describeUse.ts';
import type { ApprovalMode } from '../approvals/approvalModes.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { SessionUse } from '../contracts/usage.ts';
import type { HiddenTool } from '../tools/catalog.ts';
import type { SessionStatus } from '../tools/core/sessionStatus.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import type { Commands } from './createCommands.ts';

/** What is known of a session and of the turn that runs in it. */
export interface ConversationStatus {
  readonly agentId: string;
  /** The model that answers; undefined where no turn runs. */
  readonly model: ModelInfo | undefined;
  readonly hidden: readonly HiddenTool[];
  readonly use: SessionUse | undefined;
}

/** What the tool `session_status` may tell the model of its session. */
export function describeSession(
  facts: ConversationStatus & {
    readonly sessionKey: string;
    readonly now: number;
    readonly layout: WorkspaceLayout;
    readonly isTrusted: boolean;
    readonly approvals: ApprovalMode;
    readonly commands: Commands;
  },
): SessionStatus {
  const { sessionKey, agentId, model, use, layout, isTrusted, approvals, commands } = facts;
  const place = commands.place();
  return {
    sessionKey,
    agent: agentId,
    model: model === undefined ? 'unknown' : `${model.provider}/${model.model}`,
    ...(use === undefined ? {} : { context: describeContext(use.context), used: describeSum(use.session) }),
    now: localTime(new Date(facts.now)),
    folders: layout.roots,
    isTrusted,
    approvals,
    execHost: typeof place === 'string' ? place : `nowhere: ${place.unavailable}`,
    runningJobs: commands.jobs.list(sessionKey).filter((job) => job.end() === undefined).length,
    hiddenTools: facts.hidden.map(({ name, reason }) => `${name}: ${reason}`),
  };
}

/** ISO 8601 with the offset of this machine's time zone. */
function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const pad = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${pad(offset / 60)}:${pad(offset % 60)}`;
}
