import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const statuses = { QUOTA_EXCEEDED: 429, TOOL_NOT_ALLOWED: 403, UNAUTHORIZED: 401, SOMETHING_ELSE: 403 };

export default sample({
  rule: 'a blocked turn has the HTTP status that the codes of its notices call for, and 403 where none does',
  async check({ say }) {
    for (const [code, httpStatus] of Object.entries(statuses))
      expect((await say(code)).outcome).toMatchObject({ status: 'blocked', text: `no: ${code}`, httpStatus });
    expect((await say('')).outcome).toMatchObject({ status: 'blocked', httpStatus: 403 });
    expect((await say('SOMETHING_ELSE QUOTA_EXCEEDED UNAUTHORIZED')).outcome).toMatchObject({
      httpStatus: 429,
    });
  },
});
