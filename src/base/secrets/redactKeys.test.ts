import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { megabyteOf, worstForKeys } from '../../../test/builders/worstTexts.ts';
import { redactKeys } from './redactKeys.ts';

// Put together here, so that no scanner takes this file for a leak.
const random = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
const pem = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');

describe('redactKeys', () => {
  it.each([
    ['an AWS key id', `id AKIAIOSFODNN7EXAMPLE.`, 'id [key removed].'],
    ['an AWS secret', `aws_secret_access_key = ${random}`, 'aws_secret_access_key = [key removed]'],
    ['a GitHub token', `use ghp_${random} here`, 'use [key removed] here'],
    ['a fine GitHub token', `github_pat_${random}`, '[key removed]'],
    ['a GitLab token', `glpat-${random}`, '[key removed]'],
    ['an npm token', `npm_${random.slice(0, 36)}`, '[key removed]'],
    ['a Hugging Face token', `hf_${random}`, '[key removed]'],
    ['a Slack token', `xoxb-12345678-${random}`, '[key removed]'],
    ['a Stripe key', `sk_live_${random}`, '[key removed]'],
    ['an OpenAI key', `sk-proj-${random}_x`, '[key removed]'],
    ['an Anthropic key', `key: sk-ant-api03-${random}`, 'key: [key removed]'],
    ['a Google key', `AIza${random.slice(0, 35)}`, '[key removed]'],
    ['a Voyage key', `pa-${random}`, '[key removed]'],
    ['a web token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY.SflKxwRJSMeKKF2QT4`, '[key removed]'],
    ['a bearer header', `Authorization: Bearer ${random}`, 'Authorization: Bearer [key removed]'],
    ['a short bearer header', 'Authorization: Bearer abc123def4', 'Authorization: Bearer [key removed]'],
    ['a Groq key', `gsk_${random}`, '[key removed]'],
    ['a storage account key', `AccountKey=${random}${random}==;`, 'AccountKey=[key removed];'],
    ['a basic header', 'authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [key removed]'],
    ['a key header', `"x-api-key": "${random}"`, '"x-api-key": "[key removed]"'],
    ['a variable', 'export DB_PASSWORD="hunter2hunter2"', 'export DB_PASSWORD="[key removed]"'],
    ['an address', 'postgres://me:s3cret@db/x', 'postgres://me:[key removed]@db/x'],
    ['a private key', `a\n${pem}\nAb-C+/=\n-----END RSA PRIVATE KEY-----\nb`, 'a\n[key removed]\nb'],
    ['a private key that was cut', `a ${pem}\nAbC`, 'a [key removed]'],
  ])('takes out %s', (_, text, redacted) => {
    expect(redactKeys(text)).toBe(redacted);
    expect(redactKeys(redacted)).toBe(redacted);
  });

  it.each([
    'The token budget is 4,000; the secret of BM25 is tuning. Password: ask the bearer of bad news.',
    '2fcaa16b3c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '01234567-89ab-cdef-0123-456789abcdef',
    'sk-learn-is-a-well-known-package-name, task-1234567890123456789012',
    'export API_KEY=$OPENAI_API_KEY',
    'postgres://me:${PASSWORD}@db/x',
    'Authorization: Bearer YOUR_API_KEY',
    'see https://example.com:8080/a@b and git@github.com:me/x.git',
    'sha512-q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9==',
    'const tokenCount = countTokens(text); MAX_TOKENS = 4096',
  ])('leaves %j as it is', (text) => {
    expect(redactKeys(text)).toBe(text);
  });

  it('leaves words, hashes and ids as they are', () => {
    const plain = fc.array(
      fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-f]{40}$/u), fc.stringMatching(/^[a-z]{1,12}[,.:]?$/u)),
    );
    fc.assert(
      fc.property(plain, (words) => {
        expect(redactKeys(words.join(' '))).toBe(words.join(' '));
      }),
    );
  });

  it.each(worstForKeys)('comes to an end for a megabyte of %j', (piece) => {
    redactKeys(megabyteOf(piece));
  });
});
