import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'texts of a question are one short line each, without control and bidi characters or links',
  answer: 'deny',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    const { title = '', description = '' } = questions[0] ?? {};
    expect(title.length).toBeLessThanOrEqual(80);
    expect(description.length).toBeLessThanOrEqual(256);
    expect(title + description).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(title).not.toContain('](command:');
    expect(title).toContain('Sure?');
  },
});
