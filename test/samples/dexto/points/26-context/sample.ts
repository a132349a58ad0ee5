import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the context names session, user, tenant and model, has logger, abort signal and services under all of their names, and is frozen',
  async check({ say, marks, runtime }) {
    const session = runtime.conversations.withTenant({ tenantId: 'acme', userId: 'ada' }, () =>
      runtime.conversations.create(),
    );
    await say('Hello', undefined, { session });
    expect(JSON.parse(marks[0] ?? '')).toEqual({
      ids: [session.id, 'ada', 'acme'],
      llmConfig: {
        ...{ provider: 'replay', model: 'test.jsonl' },
        ...{ maxInputTokens: 128_000, maxOutputTokens: 16_000 },
      },
      signal: false,
      logger: ['debug', 'info', 'warn', 'error', 'silly', 'child'],
      agent: [
        ...['sessionManager', 'mcpManager', 'toolManager', 'stateManager', 'agentEventBus'],
        ...['storage', 'storageManager', 'stores'],
      ],
      storage: ['database', 'cache', 'blob', 'getDatabase', 'getCache', 'getBlobStore'],
      frozen: [true, true, true],
    });
    await say('Hello');
    expect(JSON.parse(marks[1] ?? '')).toMatchObject({ ids: [expect.any(String), null, null] });
  },
});
