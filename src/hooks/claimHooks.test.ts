import { describe, expect, it } from 'vitest';
import { createTestHooks } from '../../test/builders/createTestHooks.ts';

describe('claim', () => {
  it('ends at the first handler that handled it', async () => {
    const { runner, on } = createTestHooks();
    on('before_agent_reply', 'a', () => ({ handled: false, reply: 'no' }));
    on('before_agent_reply', 'b', () => ({ handled: true, reply: 'yes' }));
    on('before_agent_reply', 'c', () => ({ handled: true, reply: 'late' }));
    expect(await runner.claim('before_agent_reply', { cleanedBody: 'x' }, {})).toEqual({
      pluginId: 'b',
      reply: 'yes',
    });
  });

  it('answers undefined where nobody handled it', async () => {
    const { runner, on } = createTestHooks();
    on('before_agent_reply', 'a', () => undefined);
    expect(await runner.claim('before_agent_reply', { cleanedBody: 'x' }, {})).toBeUndefined();
  });
});
