import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'text, arguments, result, success and answer can be changed, and what was changed is what counts; whose call it is can not',
  async check({ say, stored, logged, marks }) {
    const { sent, results, shown } = await say('hushed question', [
      { toolCalls: [{ name: 'read', arguments: { path: 'none.md' } }] },
      { thinking: 'hushed thought', text: 'hushed answer' },
    ]);
    expect(sent).toContain('open question');
    expect(results).toEqual(['open result']);
    expect(shown).toBe('open answer');
    expect(marks).toEqual(['read failed: open result']);
    expect(await stored()).not.toContain('hushed');
    for (const field of ['toolName', 'sessionId'])
      expect(logged()).toContain(`modify.${field} can not be changed, so it is ignored; the rest counts`);
  },
});
