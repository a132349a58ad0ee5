import { z } from 'zod';
import type { AgentTool } from '../../../contracts/tool.ts';
import { createCoreTool, textResult } from '../coreTool.ts';
import type { SessionToolDeps } from './agentSessions.ts';

const schema = z.strictObject({});

/** `agents_list`: the agents that the caller may start with `sessions_spawn`. */
export function createAgentsListTool({ layout, sessions }: SessionToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'agents_list',
      label: 'List agents',
      description: 'Lists the agents that you may start with sessions_spawn.',
      schema,
      mayWrite: false,
      paths: () => [],
      prepare: (_params, { turn: caller }) =>
        Promise.resolve({
          effects: [],
          run: async () => {
            const rows = await sessions.agents(caller);
            const lines = rows.map(({ id, name, description, isCaller }) => {
              const named = name === id ? id : `${id} (${name})`;
              return `${named}${isCaller ? ', you' : ''}${description === '' ? '' : `: ${description}`}`;
            });
            return textResult(lines.length === 0 ? '[You may start none.]' : lines.join('\n'), rows);
          },
        }),
    },
    layout,
  );
}
