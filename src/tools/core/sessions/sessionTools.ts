import type { AgentTool } from '../../../contracts/tool.ts';
import type { SessionToolDeps } from './agentSessions.ts';
import { createAgentsListTool } from './agentsList.ts';
import { createSessionsHistoryTool } from './sessionsHistory.ts';
import { createSessionsListTool } from './sessionsListTool.ts';
import { createSessionsSendTool } from './sessionsSend.ts';
import { createSessionsSpawnTool } from './sessionsSpawn.ts';
import { createSubagentsTool } from './subagentsTool.ts';

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
