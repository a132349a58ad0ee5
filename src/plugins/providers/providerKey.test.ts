import { expect, it } from 'vitest';
import { providerKey } from './providerKey.ts';

const env = { ACME_API_KEY: ' from env ', OTHER_KEY: 'other', EMPTY_KEY: '' };

it.each([
  ['a variable that the provider lists', ['ACME_API_KEY'], undefined, 'from env'],
  ['the first variable that holds something', ['EMPTY_KEY', 'OTHER_KEY'], undefined, 'other'],
  ['a variable before its own value', ['ACME_API_KEY'], 'sk-own', 'from env'],
  ['its own value where no variable holds one', ['EMPTY_KEY'], 'sk-own', 'sk-own'],
  ['the name of a variable in place of a value', [], 'OTHER_KEY', 'other'],
  ['a variable in braces', [], '${OTHER_KEY}', 'other'],
  ['a reference', [], { source: 'env', provider: 'default', id: 'OTHER_KEY' }, 'other'],
  ['nothing for a variable that is not set', [], 'NOT_SET_KEY', undefined],
  ['nothing for what is neither', 'ACME_API_KEY', 7, undefined],
])('takes %s', (_what, envVars, apiKey, value) => {
  expect(providerKey(envVars, apiKey, env).value).toBe(value);
});

it('names the variables that may hold the key, the one of the settings first', () => {
  expect(providerKey(['ACME_API_KEY', 3, 'no name'], 'OWN_API_KEY', {}).variables).toEqual([
    'OWN_API_KEY',
    'ACME_API_KEY',
  ]);
});
