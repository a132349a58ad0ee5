import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const key = ['sk', 'ABCDEFGHIJKLMNOPQRSTUVWX12345678'].join('-');

export default sample({
  rule: 'contentPolicy refuses what is too long or holds a forbidden phrase, with its words in the chat, and takes emails and keys out of the rest',
  async check({ say, session, stored, found }) {
    const tooLong = await say('x'.repeat(61), [{ text: 'never asked' }]);
    expect(tooLong.outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'contentPolicy',
      text: 'The message has 61 characters; 60 are allowed.',
      httpStatus: 403,
    });
    const word = await say('Where is the Blue  Whale?', [{ text: 'never asked' }]);
    expect(word.outcome).toMatchObject({ status: 'blocked' });
    expect([tooLong.asked, word.asked]).toEqual([[], []]);
    const turn = await say(`me@example.com ${key}`, [{ text: 'Done.' }]);
    expect(turn.asked[0]?.messages.at(-1)).toMatchObject({ content: [{ text: '[EMAIL] [REDACTED]' }] });
    expect(await stored()).not.toMatch(/x{61}|Blue {2}Whale|me@example/u);
    expect(session.messages().at(-1)).toMatchObject({ role: 'assistant' });
    expect(found('agent_file_invalid')).toEqual([]);
  },
});
