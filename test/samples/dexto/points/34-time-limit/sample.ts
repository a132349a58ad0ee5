import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a plugin has five seconds for each call, or what the file says; then its signal aborts, a blocking one stops the turn and another does not',
  speed: 100,
  async check({ say, plugin, marks, trace }) {
    expect(plugin('slow').dexto?.timeoutMs).toBe(5_000);
    expect(plugin('guard').dexto?.timeoutMs).toBe(400);
    const { outcome, sent } = await say('Hello');
    expect(sent).toBe('[]');
    expect(outcome).toMatchObject({
      ...{ status: 'blocked', pluginId: 'guard' },
      text: 'The plugin guard took longer than 400 ms, so the message was not sent.',
    });
    expect(marks).toEqual(['slow stops: PLUGIN_EXECUTION_TIMEOUT', 'guard stops: PLUGIN_EXECUTION_TIMEOUT']);
    const points = (await trace()).lines.filter(({ kind }) => kind === 'point');
    expect(points).toMatchObject([
      { pluginId: 'slow', outcome: 'timed-out', blocking: false },
      { pluginId: 'guard', outcome: 'timed-out', blocking: true },
    ]);
    expect(points[0]?.durationMs).toBeGreaterThanOrEqual(5_000);
    expect(plugin('slow').dexto?.profile?.points).toMatchObject([{ calls: 1, timedOut: 1 }]);
  },
});
