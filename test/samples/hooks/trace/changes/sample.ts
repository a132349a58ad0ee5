import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a trace tells what a handler changed, field by field',
  async check({ runtime, session, say }) {
    await say('read', readA, done);
    const trace = await runtime.turns.traces.last(session.key);
    const changes = trace?.lines.flatMap((line) => (line.kind === 'hook' ? (line.changes ?? []) : []));
    expect(changes).toEqual([
      { path: 'params.path', before: 'a.md', after: 'b.md' },
      { path: 'params.limit', after: '5' },
    ]);
  },
});
