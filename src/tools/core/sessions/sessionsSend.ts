import { z } from 'zod';
import type { AgentTool, ToolResult } from '../../../contracts/tool.ts';
import { createCoreTool, textResult } from '../coreTool.ts';
import type { SendAnswer, SessionToolDeps } from './agentSessions.ts';

const schema = z.strictObject({
  sessionKey: z.string().min(1).max(200).describe('Key or id of the session, as sessions_list gives it.'),
  message: z.string().min(1).max(20_000).describe('What to say there.'),
  timeoutSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .optional()
    .describe('How long to wait for the answer. Default 30; 0 does not wait.'),
});

/** `sessions_send`: says something in another session. The user is asked, unless the caller has started that session. */
export function createSessionsSendTool({ layout, sessions }: SessionToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'sessions_send',
      label: 'Send to a session',
      description:
        'Sends a message to another conversation and gives its answer. While a turn runs there, the message waits for its end. The user is asked first, unless you have started that session.',
      schema,
      mayWrite: true,
      paths: () => [],
      target: ({ sessionKey }) => sessionKey,
      prepare: async ({ sessionKey, message, timeoutSeconds = 30 }, { turn: caller }) => {
        const planned = await sessions.planSend(caller, {
          key: sessionKey,
          message,
          waitMs: timeoutSeconds * 1_000,
        });
        const { sessionId, title, isOwn } = planned;
        return {
          effects: isOwn ? [] : [{ kind: 'message', sessionId, to: title, text: message }],
          run: async ({ signal }) => answer(await planned.send(signal), sessionId),
        };
      },
    },
    layout,
  );
}

function answer(sent: SendAnswer, sessionId: string): ToolResult {
  const details = { status: sent.status, sessionId };
  switch (sent.status) {
    case 'ok':
      return textResult(sent.reply === '' ? '[It answered without a text.]' : sent.reply, details);
    case 'error':
      return { ...textResult(`The turn there failed: ${sent.error}`, details), isError: true };
    case 'running':
      return textResult('[Sent. The turn there goes on; sessions_history gives its answer later.]', details);
    case 'queued':
      return textResult(
        '[Sent. A turn runs there; it reads the message when it would end. sessions_history gives the answer later.]',
        details,
      );
  }
}
