import { z } from 'zod';
import { thinkingLevels } from '../../../config/sections/thinkingLevels.ts';
import { inertLine } from '../../../base/text.ts';
import type { AgentTool } from '../../../contracts/tool.ts';
import { createCoreTool, textResult } from '../coreTool.ts';
import { childResult } from './childResult.ts';
import type { SessionToolDeps } from './agentSessions.ts';

const schema = z.strictObject({
  task: z
    .string()
    .min(1)
    .max(50_000)
    .describe('What it is to do, with all it has to know: it sees nothing of this conversation.'),
  label: z.string().min(1).max(60).optional().describe('A few words for people.'),
  agentId: z.string().min(1).optional().describe('An agent of agents_list. Default: your own.'),
  model: z.string().min(1).optional().describe('provider/model. Default: that of the agent, else yours.'),
  thinking: z.enum(thinkingLevels).optional().describe('How much it thinks.'),
  runTimeoutSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe('Stops it after so long. Default 0: only the limits of a turn.'),
  cleanup: z.enum(['delete', 'keep']).optional().describe('delete removes its session. Default keep.'),
  background: z
    .boolean()
    .optional()
    .describe(
      'True returns at once, so that several run side by side; get each result with subagents (wait).',
    ),
});

/** `sessions_spawn`: starts another agent for one task. Unlike upstream's it waits for the result, unless told not to. */
export function createSessionsSpawnTool({ layout, sessions }: SessionToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'sessions_spawn',
      label: 'Start an agent',
      description:
        'Starts another agent for one task, in a session of its own and with fewer tools than yours, waits for it and gives its last message. It ends with your turn: with background, wait for its result before you answer.',
      schema,
      mayWrite: false,
      paths: () => [],
      target: ({ label, task }) => inertLine(label ?? task, 60),
      prepare: (params, { turn: caller }) =>
        Promise.resolve({
          effects: [],
          run: async ({ signal, onUpdate }) => {
            const { background = false, runTimeoutSeconds = 0, ...options } = params;
            const child = await sessions.spawn(
              caller,
              {
                task: options.task,
                ...(options.label === undefined ? {} : { label: options.label }),
                ...(options.agentId === undefined ? {} : { agentId: options.agentId }),
                ...(options.model === undefined ? {} : { model: options.model }),
                ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
                ...(options.cleanup === undefined ? {} : { cleanup: options.cleanup }),
                ...(runTimeoutSeconds === 0 ? {} : { timeoutMs: runTimeoutSeconds * 1_000 }),
              },
              // What runs on after this call is stopped by `subagents`, or with the turn.
              {
                signal,
                onProgress: background ? () => undefined : (line) => onUpdate(textResult(line)),
              },
            );
            if (!background) return childResult(child.row, await child.ended);
            const { sessionKey, sessionId, runId, label } = child.row;
            return textResult(
              `[The agent "${label}" runs: ${sessionId}. subagents (action: wait) gives its result.]`,
              { status: 'accepted', childSessionKey: sessionKey, sessionId, runId },
            );
          },
        }),
    },
    layout,
  );
}
