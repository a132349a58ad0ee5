import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'that a change was ignored is in the trace of the plugin that wanted it',
  answer: 'deny',
  async check({ runtime, session, say }) {
    await say('read', readA, done);
    const trace = await runtime.turns.traces.last(session.key);
    const mover = trace?.lines.find((line) => line.kind === 'hook' && line.pluginId === 'b-mover');
    expect(mover).toMatchObject({ note: expect.stringContaining('a-asker has already asked') as string });
  },
});
