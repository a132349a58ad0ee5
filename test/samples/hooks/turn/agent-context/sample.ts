import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'hooks of a run are told run, agent, session, folder, model and surface',
  async check({ session, workspace, say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([
      {
        runId: expect.any(String) as string,
        agentId: 'main',
        sessionKey: session.key,
        sessionId: session.id,
        workspaceDir: workspace,
        modelProviderId: 'replay',
        modelId: 'test.jsonl',
        messageProvider: 'vscode',
        channelId: 'vscode',
        trigger: 'user',
        contextTokenBudget: 102_400,
        contextWindowSource: 'model',
        contextWindowReferenceTokens: 128_000,
        trace: {
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/u) as string,
          spanId: expect.stringMatching(/^[0-9a-f]{16}$/u) as string,
        },
      },
    ]);
  },
});
