import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'lists and trees show how each plugin has done: calls, times, blocks, failures and its last notices; the trace shows each call',
  async check({ say, plugin, trace, save }) {
    await save('a.md', 'text');
    await say('go', [
      { toolCalls: [{ name: 'ls', arguments: {} }] },
      { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
      { text: 'Done.' },
    ]);
    const guard = plugin('guard').dexto?.profile;
    expect(guard?.points).toEqual([
      {
        ...{ point: 'beforeToolCall', calls: 2, changed: 0, blocked: 1, failed: 0, timedOut: 0 },
        ...{
          p50: expect.any(Number) as unknown,
          p95: expect.any(Number) as unknown,
          max: expect.any(Number) as unknown,
        },
      },
    ]);
    const { p50 = 0, p95 = 0, max = 0 } = guard?.points[0] ?? {};
    expect(0 < p50 && p50 <= p95 && p95 <= max).toBe(true);
    expect(guard?.notices).toMatchObject([
      { kind: 'block', code: 'TOOL_NOT_ALLOWED', point: 'beforeToolCall' },
    ]);
    const audit = plugin('audit');
    expect(audit.status).toBe('loaded');
    expect(audit.dexto?.profile).toMatchObject({
      points: [{ calls: 1, failed: 1 }],
      lastFailure: {
        point: 'beforeLLMRequest',
        message: expect.stringMatching(/^disk full \(audit\.js:\d+\)$/u) as unknown,
      },
    });
    const calls = (await trace()).lines.flatMap((line) =>
      line.kind === 'point' ? [[line.pluginId, line.outcome, line.durationMs >= 0]] : [],
    );
    expect(calls).toEqual([
      ['audit', 'failed', true],
      ['guard', 'blocked', true],
      ['guard', 'nothing', true],
    ]);
  },
});
