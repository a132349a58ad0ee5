import { z } from 'zod';
import type { AgentTool } from '../../../contracts/tool.ts';
import { createCoreTool, textResult } from '../coreTool.ts';
import { quoteMessages, rowLine } from './quote.ts';
import type { SessionToolDeps } from './agentSessions.ts';

const schema = z.strictObject({
  kinds: z
    .array(z.enum(['chat', 'main', 'subagent', 'other']))
    .optional()
    .describe('chat (or main): those that a user talks to; subagent (or other): those that agents started.'),
  limit: z.int().min(1).max(200).optional().describe('Sessions to give. Default 20.'),
  activeMinutes: z.int().min(1).optional().describe('Only those that changed within so many minutes.'),
  messageLimit: z.int().min(0).max(10).optional().describe('Last messages of each to quote. Default 0.'),
});

/** `sessions_list`: the sessions that the caller may see. */
export function createSessionsListTool({ layout, sessions, clock }: SessionToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'sessions_list',
      label: 'List sessions',
      description:
        'Lists the conversations that you can see, newest first, with key, agent, title and age: those of your own agent and those you have started.',
      schema,
      mayWrite: false,
      paths: () => [],
      prepare: ({ kinds, limit = 20, activeMinutes, messageLimit = 0 }, { turn: caller }) =>
        Promise.resolve({
          effects: [],
          run: async () => {
            const rows = await sessions.list(caller, {
              ...(kinds === undefined ? {} : { kinds: kinds.map(kindOf) }),
              ...(activeMinutes === undefined ? {} : { activeMs: activeMinutes * 60_000 }),
              limit,
              messageLimit,
            });
            const lines = rows.flatMap((row) => [
              rowLine(row, clock.now()),
              ...(row.messages === undefined ? [] : [quoteMessages(row.messages)]),
            ]);
            const details = rows.map(({ messages: _quoted, ...row }) => row);
            return textResult(lines.length === 0 ? '[There is no such session.]' : lines.join('\n'), details);
          },
        }),
    },
    layout,
  );
}

/** Upstream's words for the two kinds there are here. */
function kindOf(kind: 'chat' | 'main' | 'subagent' | 'other'): string {
  return kind === 'main' || kind === 'chat' ? 'chat' : 'subagent';
}
