import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the turn and the tools ask the same instance of a plugin, and agents that a turn starts are asked about by it too',
  async check({ say, marks, save }) {
    await say('go', [{ toolCalls: [{ name: 'ls', arguments: {} }] }, { text: 'Done.' }]);
    expect(marks.at(-1)).toBe('1: request ls result response');
    await save('secret.md', 'hunter2');
    // The second and third answers are those of the started agent.
    const turn = await say('start one', [
      { toolCalls: [{ name: 'sessions_spawn', arguments: { task: 'Read secret.md.' } }] },
      { toolCalls: [{ name: 'read', arguments: { path: 'secret.md' } }] },
      { expect: { toolResult: 'Not that file.' }, text: 'I may not.' },
      { text: 'Done.' },
    ]);
    expect(turn.outcome).toMatchObject({ status: 'completed' });
    expect(turn.sent).toContain('Not that file.');
    expect(turn.sent).not.toContain('hunter2');
  },
});
