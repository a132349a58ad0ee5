import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the execution context tells session, user, tenant and model of the turn, and has services to read and storage to write',
  config: { dexto: { tenant: { tenantId: 'acme', userId: 'ada' } } },
  async check({ say, marks, session, log }) {
    await say('go', [{ toolCalls: [{ name: 'ls', arguments: {} }] }, { text: 'Done.' }]);
    const [seen = '', heard] = marks;
    expect(JSON.parse(seen)).toEqual({
      sessionId: session.id,
      userId: 'ada',
      tenantId: 'acme',
      model: 'test.jsonl',
      keys: ['maxInputTokens', 'maxOutputTokens', 'model', 'provider'],
      aborted: false,
      frozen: true,
      tools: true,
      mcp: [{ name: 'harbour', type: 'stdio', connected: false }],
      config: ['agentFile', 'limits', 'model', 'plugins', 'toolConfirmation'],
      // The call has no result yet.
      history: 'user assistant',
      session: 'acme',
      stored: 'ls',
      same: true,
    });
    expect(heard).toBe('heard ls true');
    await say('and?', [{ text: 'Nothing.' }]);
    expect(marks.at(-1)).toBe('history user assistant tool assistant');
    const line = log.lines.find(({ message }) => message.includes('looked'));
    expect(line?.message).toMatch(/^\[dexto:spy\] looked \{"tool":"ls"\} .*"tenantId":"acme"/u);
  },
});
