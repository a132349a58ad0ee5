import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withoutProposedApi } from './refuseProposedApi.ts';

/** As a bundler leaves it: another function that gives true, the one that is meant, and the one that throws. */
const program =
  'function KO(s,o){return!0}function Oe(i,t){return!0}function M(i,t){if(!Oe(i,t))throw new Error(`Extension ' +
  "'${i.identifier.value}' CANNOT use API proposal: ${t}.`)}";

type Check = (extension: { identifier: { value: string } }, proposal: string) => void;

const checkOf = (text: string): Check => runInNewContext(`${text}; M`) as Check;

const from = (value: string) => ({ identifier: { value } });

it('refuses proposed API to the one extension, however its id is written, and leaves it to the others', () => {
  const check = checkOf(withoutProposedApi(program, 'pincer-dev.pincer') ?? '');
  expect(() => check(from('Pincer-dev.pincer'), 'chatProvider')).toThrow(
    'CANNOT use API proposal: chatProvider',
  );
  expect(() => check(from('vscode.git'), 'scmProvider')).not.toThrow();
});

it('changes nothing where the place is not there exactly once', () => {
  expect(withoutProposedApi('function KO(s,o){return!0}', 'a.b')).toBeUndefined();
  expect(withoutProposedApi(program + program, 'a.b')).toBeUndefined();
});
