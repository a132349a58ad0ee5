import type { AgentTool } from '../../../contracts/tool.ts';
import type { Clock } from '../../../host/ports.ts';
import type { WorkspaceLayout } from '../../paths/workspaceLayout.ts';
import type { AgentSessions } from './agentSessions.ts';
import { createAgentsListTool } from './agentsList.ts';
import { createSessionsHistoryTool } from './sessionsHistory.ts';
import { createSessionsListTool } from './sessionsList.ts';
import { createSessionsSendTool } from './sessionsSend.ts';
import { createSessionsSpawnTool } from './sessionsSpawn.ts';
import { createSubagentsTool } from './subagentsTool.ts';

/** What the session tools need of the world. */
export interface SessionToolDeps {
  readonly layout: () => WorkspaceLayout;
  readonly sessions: AgentSessions;
  readonly clock: Clock;
}

/** The tools of upstream's `group:sessions` but `session_status`, and `agents_list`; in the order in which models see them. */
const table = [
  createSessionsListTool,
  createSessionsHistoryTool,
  createSessionsSendTool,
  createSessionsSpawnTool,
  createSubagentsTool,
  createAgentsListTool,
] as const;

export function createSessionTools(deps: SessionToolDeps): readonly AgentTool[] {
  return table.map((create) => create(deps));
}
