import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'beforeResponse decides what is shown and what is stored: streamed text is held until it has been judged',
  async check({ say, session, stored, marks }) {
    const turn = await say('key?', [{ text: ['the key is zw', 'ölf, all of it'] }]);
    expect(turn.shown).toBe('the key is ****, all of it');
    expect(turn.outcome).toEqual({ status: 'completed', text: 'the key is ****, all of it' });
    expect(session.messages().at(-1)).toMatchObject({
      content: [{ type: 'text', text: 'the key is ****, all of it' }],
    });
    const blocked = await say('more?', [{ text: ['it is pri', 'vate'] }]);
    expect(blocked.shown).toBe('That stays private.');
    expect(session.messages().at(-1)).toMatchObject({
      content: [{ type: 'text', text: 'That stays private.' }],
    });
    expect(JSON.stringify([turn.events, blocked.events, await stored()])).not.toMatch(/zwölf|it is private/u);
    expect(marks).toEqual(['replay/test.jsonl', 'replay/test.jsonl']);
  },
});
