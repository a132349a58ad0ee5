import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './readRetryAfter.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const read = (headers: Readonly<Record<string, string>>, body = ''): number | undefined =>
  readRetryAfter({ header: (name) => headers[name], body }, now);

describe('readRetryAfter', () => {
  it.each([
    ['20', 20_000],
    ['0.4', 400],
    ['Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2020 08:01:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1e99', undefined],
    ['99999999', undefined],
  ])('reads Retry-After: %s', (value, ms) => {
    expect(read({ 'retry-after': value })).toBe(ms);
  });

  it('takes milliseconds before seconds', () => {
    expect(read({ 'retry-after-ms': '250', 'retry-after': '1' })).toBe(250);
  });

  it("reads Google's RetryInfo in the body", () => {
    const details = [
      { '@type': 'x' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' },
    ];
    expect(read({}, JSON.stringify({ error: { details } }))).toBe(34_000);
    expect(read({}, '<html>')).toBeUndefined();
  });
});
