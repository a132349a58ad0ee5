import { z } from 'zod';
import { PincerError } from '../../../base/errors.ts';
import type { AgentTool, ToolResult, Turn } from '../../../contracts/tool.ts';
import { createCoreTool, textResult } from '../coreTool.ts';
import type { AgentSessions, ChildRow, SessionToolDeps } from './agentSessions.ts';
import { childResult } from './childResult.ts';

const schema = z.strictObject({
  action: z
    .enum(['list', 'wait', 'kill', 'steer'])
    .optional()
    .describe('list (default), wait for a result, kill, or steer: say something to it while it runs.'),
  target: z.string().min(1).max(200).optional().describe('Session id, key or label; for kill also all.'),
  message: z.string().min(1).max(4_000).optional().describe('For steer: what to say.'),
});

type SubagentsParams = z.infer<typeof schema>;

/** `subagents`: what the caller has started: list, wait (not upstream's), kill, steer. */
export function createSubagentsTool({ layout, sessions }: SessionToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'subagents',
      label: 'Started agents',
      description: 'Lists the agents that you have started, waits for the result of one, stops or steers it.',
      schema,
      mayWrite: false,
      paths: () => [],
      target: ({ action = 'list', target = '' }) => `${action} ${target}`.trim(),
      prepare: (params, { turn }) => Promise.resolve({ effects: [], run: () => act(sessions, params, turn) }),
    },
    layout,
  );
}

async function act(
  sessions: AgentSessions,
  { action = 'list', target, message }: SubagentsParams,
  caller: Turn,
): Promise<ToolResult> {
  if (action === 'list') return list(sessions.children(caller));
  if (action === 'kill' && target === 'all') {
    const stopped = sessions.children(caller).filter((row) => sessions.stop(row));
    return textResult(`[Stopped: ${namesOf(stopped)}.]`, stopped);
  }
  const child = sessions.child(caller, required(target, `${action} needs a target.`));
  switch (action) {
    case 'wait':
      return childResult(child.row, await child.ended);
    case 'kill':
      if (!sessions.stop(child.row)) return textResult(`[The agent "${child.row.label}" had ended already.]`);
      await child.ended;
      return textResult(`[The agent "${child.row.label}" is stopped.]`);
    case 'steer':
      await sessions.steer(caller, child.row, required(message, 'steer needs a message.'));
      return textResult(`[The agent "${child.row.label}" reads it after the call it is in now.]`);
  }
}

function list(rows: readonly ChildRow[]): ToolResult {
  const lines = rows.map(
    ({ sessionId, label, agentId, state }) => `${sessionId}  "${label}"  (${agentId}, ${state})`,
  );
  return textResult(lines.length === 0 ? '[You have started no agents.]' : lines.join('\n'), rows);
}

function namesOf(rows: readonly ChildRow[]): string {
  return rows.length === 0 ? 'none' : rows.map(({ label }) => `"${label}"`).join(', ');
}

function required(value: string | undefined, message: string): string {
  if (value !== undefined) return value;
  throw new PincerError('params_invalid', message, { hint: 'Call it again with that parameter.' });
}
