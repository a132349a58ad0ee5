import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'of a redaction a trace tells the size, never the text',
  async check({ runtime, session, say }) {
    await say('my key is hunter2', { text: 'I saw hunter2.' });
    const trace = await runtime.turns.traces.last(session.key);
    const changes = trace?.lines.flatMap((line) => (line.kind === 'hook' ? (line.changes ?? []) : []));
    expect(changes?.map(({ isHidden }) => isHidden)).toEqual([true, true]);
    expect(JSON.stringify(trace)).not.toContain('hunter2');
  },
});
