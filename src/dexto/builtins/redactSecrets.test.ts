import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { megabyteOf, worstForSecrets } from '../../../test/builders/worstTexts.ts';
import type { RedactionOptions } from './redactionOptions.ts';
import { redactSecrets } from './redactSecrets.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly redacted: string;
}

const cases = JSON.parse(
  readFileSync(new URL('../../../test/cases/redaction.json', import.meta.url), 'utf8'),
) as Readonly<
  Record<'keys' | 'strict' | 'emails', readonly Case[]> &
    Record<'noKeys' | 'noEmails', readonly Omit<Case, 'redacted'>[]>
>;

// Put together here, so that no scanner takes the cases for a leak.
const letters: Readonly<Record<string, string>> = {
  R: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0',
  U: 'A1B2C3D4E5F6G7H8',
  H: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  D: '7193826405',
};

function filled(text: string): string {
  return text
    .replaceAll('{P}', ['RSA', 'PRIVATE', 'KEY'].join(' '))
    .replace(/\{([RUHD])(\d+)\}/gu, (_, kind: string, length: string) =>
      (letters[kind] ?? '').repeat(9).slice(0, Number(length)),
    );
}

const all: RedactionOptions = { redactEmails: true, redactApiKeys: true };

function textOf(text: string, options: RedactionOptions = all): string {
  return redactSecrets(text, options).text;
}

describe('redactSecrets', () => {
  it.each(cases.keys)('takes out: $name', ({ text, redacted }) => {
    expect(textOf(filled(text))).toBe(filled(redacted));
  });

  it.each(cases.noKeys)('leaves: $name', ({ text }) => {
    expect(textOf(filled(text), { redactApiKeys: true })).toBe(filled(text));
  });

  it.each(cases.strict)('strict: $name', ({ text, redacted }) => {
    expect(textOf(text, { ...all, strict: true })).toBe(redacted);
  });

  it.each(cases.emails)('takes out the email: $name', ({ text, redacted }) => {
    expect(textOf(text)).toBe(redacted);
  });

  it.each(cases.noEmails)('finds no email: $name', ({ text }) => {
    expect(textOf(text, { redactEmails: true })).toBe(text);
  });

  it('does only what it is asked for', () => {
    const text = 'me@example.com password=hunter2';
    expect(textOf(text, {})).toBe(text);
    expect(textOf(text, { strict: true })).toBe(text);
    expect(textOf(text, { redactEmails: true })).toBe('[EMAIL] password=hunter2');
    expect(textOf(text, { redactApiKeys: true })).toBe('me@example.com password=[REDACTED]');
  });

  it('counts what it took out', () => {
    const text = filled('[REDACTED] a@example.com, b@example.com ghp_{R36} password=hunter2 {H40}');
    expect(redactSecrets(text, all)).toMatchObject({ emails: 2, keys: 2 });
    expect(redactSecrets(text, { ...all, strict: true })).toMatchObject({ emails: 2, keys: 3 });
  });

  const pieces = fc.oneof(
    fc.constantFrom(...cases.keys.map(({ text }) => filled(text)), ...cases.emails.map(({ text }) => text)),
    fc.constantFrom(
      'token',
      'password',
      '=',
      ':',
      '"',
      "'",
      '`',
      '@',
      '.',
      '-',
      '_',
      ' ',
      '\n',
      '\\',
      'a1',
      'B',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );

  it('changes nothing more when done twice', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.boolean(), (parts, strict) => {
        const once = textOf(parts.join(''), { ...all, strict });
        expect(textOf(once, { ...all, strict })).toBe(once);
      }),
    );
  });

  it('strict takes out what the bare patterns of the spec take out', () => {
    const characters = fc.constantFrom('a', 'Z', '0', '_', '-', '.', ' ', '@', 'é');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 120 }), (text) => {
        const bare = text.replace(/\b[A-Za-z0-9_-]{32,}\b/gu, '[REDACTED]');
        expect(textOf(text, { redactApiKeys: true, strict: true })).toBe(bare);
        const withoutEmails = text.replace(/[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}/gu, '[EMAIL]');
        expect(textOf(text, { redactEmails: true, strict: true })).toBe(withoutEmails);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves hashes, ids, names and words as they are', () => {
    const plain = fc.array(
      fc.oneof(
        fc.uuid(),
        fc.stringMatching(/^[0-9a-f]{7,64}$/u),
        fc.stringMatching(/^[a-z]{3,9}(?:[A-Z][a-z]{3,9}){0,8}$/u),
        fc.stringMatching(/^[a-z]{3,9}(?:[_/-][a-z]{3,9}){0,8}$/u),
        fc.stringMatching(/^[a-z]{1,12}[,.:]?$/u),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(plain, (words) => {
        expect(textOf(words.join(' '))).toBe(words.join(' '));
      }),
    );
  });

  it.each([false, true])('comes to an end for a megabyte of anything (strict: %j)', (strict) => {
    for (const piece of worstForSecrets) textOf(megabyteOf(piece), { ...all, strict });
  });
});
