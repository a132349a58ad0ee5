import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a call of a tool that does not exist is not judged, but observers and the transcript learn of it',
  async check({ say, marks, transcript }) {
    await say('go', call('teleport', {}), done);
    expect(marks).toMatchObject([
      { toolName: 'teleport', error: expect.stringContaining('There is no tool') as string },
    ]);
    expect(transcript()[2]).toContain('There is no tool "teleport".');
  },
});
