import { expect, it } from 'vitest';
import { connects, executes } from '../../test/builders/callContexts.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import { askedAbout } from './askedAbout.ts';

const edit = (label: string) => ({ path: `/w/${label}`, label, before: null, after: 'x' });

it.each<[string, Partial<ApprovalRequest>, string | undefined]>([
  ['the command', { title: 'Run a command', effects: [executes('npm test')] }, 'npm test'],
  [
    'all files of a patch',
    { title: 'Write a.md and 1 more', edits: [edit('a.md'), edit('b.md')] },
    'a.md, b.md',
  ],
  ['what a plugin asks about', { title: 'Go on?', effects: [connects('example.org')] }, 'example.org'],
  ['nothing twice', { title: 'Write a.md', edits: [edit('a.md')] }, undefined],
  ['nothing where only parameters say it', { title: 'Run a job' }, undefined],
])('tells %s', (_name, parts, expected) => {
  expect(askedAbout({ title: '', edits: [], ...parts })).toBe(expected);
});

it('names a connection by its whole address where that is asked for, also where the title has the host', () => {
  const effects = [{ ...connects('a.io'), url: 'https://a.io/?k=hunter2' }];
  const asked = { title: 'Connect to a.io', edits: [], effects };
  expect(askedAbout(asked)).toBeUndefined();
  expect(askedAbout(asked, 'url')).toBe('https://a.io/?k=hunter2');
});
