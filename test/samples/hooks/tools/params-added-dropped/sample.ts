import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a key that a plugin added and the tool does not know is dropped with a line in the trace; the call is still asked about and runs',
  answer: 'allow-once',
  files: { 'a.md': 'text of a', 'c.md': 'text of c' },
  async check({ runtime, session, say }) {
    const { results, questions } = await say('read', readA, done);
    expect(questions[0]?.params).toEqual({ path: 'c.md' });
    expect(results[0]).toContain('text of c');
    const lines = (await runtime.turns.traces.last(session.key))?.lines ?? [];
    expect(lines).toContainEqual(
      expect.objectContaining({
        kind: 'policy',
        outcome: 'dropped',
        reason: 'a plugin added what read does not know: note',
      }),
    );
  },
});
