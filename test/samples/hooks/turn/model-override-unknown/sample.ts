import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a model that is not configured ends the turn with its name, before anything is stored',
  mayRead: ['chooser'],
  async check({ say, transcript }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toMatchObject({ status: 'failed', code: 'model_unknown' });
    expect(JSON.stringify(outcome)).toContain('replay/m-9');
    expect(transcript()).toEqual([]);
  },
});
