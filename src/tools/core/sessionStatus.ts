import { z } from 'zod';
import type { AgentTool, Turn } from '../../contracts/tool.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';

/** What a session is and what holds in it, as the model may know it. */
export interface SessionStatus {
  readonly sessionKey: string;
  /** Id of the agent that answers. */
  readonly agent?: string;
  /** How full the model's window is, in words. */
  readonly context?: string;
  /** What the session has used so far, in words. */
  readonly used?: string;
  /** `built-in`, `provider/model`. */
  readonly model: string;
  /** ISO 8601 with the offset of the user's time zone. */
  readonly now: string;
  readonly folders: readonly string[];
  readonly isTrusted: boolean;
  readonly approvals: string;
  /** `local` or `sandbox`, or why no command can run. */
  readonly execHost: string;
  readonly runningJobs: number;
  /** Names of hidden tools with their reasons. */
  readonly hiddenTools: readonly string[];
}

const schema = z.strictObject({});

/** `session_status`: where the model is and what it may do. Upstream's name; its profile `minimal` holds this tool alone. */
export function createSessionStatusTool(
  deps: Pick<CoreToolDeps, 'layout'>,
  statusOf: (turn: Turn) => SessionStatus | Promise<SessionStatus>,
): AgentTool {
  return createCoreTool(
    {
      name: 'session_status',
      label: 'Session status',
      description:
        'Gives the session, agent, model, time, workspace folders, approval mode, where commands run, how full the context is, what was used, and which tools are hidden and why.',
      schema,
      mayWrite: false,
      paths: () => [],
      prepare: (_params, { turn }) =>
        Promise.resolve({
          effects: [],
          run: async () => {
            const status = await statusOf(turn);
            return textResult(statusText(status), status);
          },
        }),
    },
    deps.layout,
  );
}

function statusText(status: SessionStatus): string {
  const folders = status.folders.length === 0 ? 'none is open' : status.folders.join(', ');
  return [
    `Session: ${status.sessionKey}`,
    ...(status.agent === undefined ? [] : [`Agent: ${status.agent}`]),
    `Model: ${status.model}`,
    ...(status.context === undefined ? [] : [`Context: ${status.context}`]),
    ...(status.used === undefined ? [] : [`Used: ${status.used}`]),
    `Time: ${status.now}`,
    `Folders: ${folders}${status.isTrusted ? '' : ' (not trusted: only reading)'}`,
    `Approvals: ${status.approvals}`,
    `Commands run: ${status.execHost}`,
    `Background commands: ${status.runningJobs}`,
    ...(status.hiddenTools.length === 0 ? [] : [`Hidden tools: ${status.hiddenTools.join('; ')}`]),
  ].join('\n');
}
