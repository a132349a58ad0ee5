import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'host and plugins that ask about one call share one question that names them all',
  answer: 'allow-once',
  async check({ say, fileText }) {
    const { questions } = await say('write', writeB, done);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ askers: ['host', 'one', 'two'], severity: 'critical' });
    expect(await fileText('b.md')).toBe('new');
  },
});
