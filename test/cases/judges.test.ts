import { expect, it } from 'vitest';
import { loadJudge, runCase, type CaseKind } from '../../scripts/cases.ts';

// What the known cases do not use of their file format: a judge that left it out would pass whatever it says.
const proj = '/w/proj';
const both = [proj, '/w/lib'];
const windows = { platform: 'win32' };
const mac = { platform: 'darwin' };

it.each<[CaseKind, string, string, Readonly<Record<string, unknown>>]>([
  [
    'binds',
    'C:\\Users\\u\\proj\\j:/x',
    'block',
    { ...windows, fs: { 'C:\\Users\\u\\proj\\j': 'C:\\Windows' } },
  ],
  ['binds', 'C:\\Users\\u\\proj\\a:/x', 'block', { ...windows, missing: ['C:\\Users\\u\\proj\\a'] }],
  ['binds', '/Users/u/PROJ/l:/x', 'block', { ...mac, fs: { '/Users/u/proj/l': '/private/etc' } }],
  ['binds', '/Users/u/proj/l:/x', 'allow', { ...mac, fs: { '/Users/u/proj/l': 'src' } }],
  ['paths', 'a', 'block', { op: 'read', fs: { '/w/proj/a': 'b', '/w/proj/b': '/etc/passwd' } }],
  ['paths', 'a', 'allow', { op: 'read', fs: { '/w/proj/a': 'b', '/w/proj/b': 'src/c.ts' } }],
  ['paths', 'a', 'block', { op: 'read', fs: { '/w/proj/a': 'b', '/w/proj/b': 'a' } }],
  ['paths', 'src/a.ts', 'allow', { op: 'read', fs: { '/w/proj': '/w/real' } }],
  ['paths', 'lib/a.ts', 'allow', { op: 'read', roots: both }],
  ['paths', '/w/lib/a.ts', 'allow', { op: 'write', roots: ['/w/lib'] }],
  ['paths', '//w/proj/a.ts', 'allow', { op: 'read' }],
  ['paths', 'l/x', 'block', { ...mac, op: 'read', fs: { '/w/proj/L': '/etc' } }],
  ['paths', 'l\\x', 'block', { ...windows, op: 'read', fs: { 'C:\\w\\proj\\l': 'D:\\' } }],
  ['paths', 'x', 'block', { ...windows, op: 'read', nlink: 2 }],
  ['paths', 'x', 'block', { ...mac, op: 'read', kind: 'fifo' }],
  ['paths', 'src\\a.ts', 'block', { ...windows, op: 'write', race: true }],
  ['paths', 'src', 'block', { op: 'read', kind: 'dir', nlink: 3 }],
  ['ssrf', 'https://a.example/', 'block', { dns: { 'a.example': '10.0.0.1' } }],
  ['ssrf', 'https://a.example/', 'block', { dns: null }],
  ['shell', 'ls', 'ask', { shell: 'nu' }],
])('%s: %j is %s with %j', async (kind, input, expected, more) => {
  const judge = await loadJudge(kind);
  expect(await runCase(judge, { why: '', class: '', expected: 'block', input, ...more })).toBe(expected);
});
