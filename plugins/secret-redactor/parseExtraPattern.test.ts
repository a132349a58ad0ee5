import { describe, expect, it } from 'vitest';
import { parseExtraPattern } from './parseExtraPattern.ts';

describe('parseExtraPattern', () => {
  it.each([
    ['acme_[A-Za-z0-9]{32}', `acme_${'a1B2'.repeat(8)}`],
    ['corp-key-\\d{4,12}', 'corp-key-123456'],
    ['int\\.[a-f]{3}-\\w{2}', 'int.abc-x1'],
    ['key#[^ ]{4,512}', 'key#ab/c.d'],
  ])('takes %s', (source, text) => {
    const parsed = parseExtraPattern(source);
    expect(parsed.ok && text.replace(parsed.pattern, '')).toBe('');
  });

  it.each([
    ['(a+)+b', '"(" is not supported at position 1'],
    ['key(?=x)', '"(" is not supported at position 4'],
    ['key_a|b', '"|" is not supported at position 6'],
    ['key_.*', '"." is not supported at position 5'],
    ['key_[a-z]+', '"+" is not supported at position 10'],
    ['key_\\1', '"\\" is not supported at position 5'],
    ['key_[a-z', '"[" is not supported at position 5'],
    ['key_[z-a]', 'it is not a valid regular expression'],
    ['key_\\w{1,9999}', 'a repeat goes from 0 to 512'],
    ['key_\\w{9,2}', 'a repeat goes from 0 to 512'],
    ['k_[a-z]{8}', 'it must begin with 3 fixed characters'],
    ['[a-z]{8}', 'it must begin with 3 fixed characters'],
    ['key_\\w{1,9}-\\w{1,9}', 'only one part may repeat from {n,m} times or be optional'],
  ])('refuses %s and says why', (source, why) => {
    expect(parseExtraPattern(source)).toEqual({ ok: false, why });
  });
});
