import { expect, it } from 'vitest';
import { isRemoteCommand, toRemoteItem } from './remoteView.ts';

it('lets no command from afar change what is asked, or open a window', () => {
  const all = [
    'help',
    'tools',
    'plugins',
    'memory',
    'approve',
    'status',
    'new',
    'resume',
    'compact',
    'agent',
  ];
  const more = ['model', 'set', 'stop', 'reset', 'continue', 'tool'];
  expect([...all, ...more].filter(isRemoteCommand)).toEqual([
    ...['tools', 'plugins', 'status', 'new', 'compact', 'stop', 'reset'],
  ]);
});

it('shows nothing from afar that opens something in VS Code', () => {
  const note = (markdown: string): object => ({ kind: 'note', id: 'n', icon: '', markdown });
  const shown = (markdown: string): unknown => toRemoteItem(note(markdown) as never);
  expect(shown('Only the newest part. [Show \\[all\\]](command:pincer.sessions.show?%5B%5D)')).toEqual(
    note('Only the newest part. Show \\[all\\]'),
  );
  expect(shown('[Add Model…](command:button)')).toBeUndefined();
  expect(shown('[Show changes](command:a?%5B%5D) · [Restore…](command:b)')).toBeUndefined();
  expect(shown('[docs](https://example.com)')).toEqual(note('[docs](https://example.com)'));
  expect(shown('1 file is still changed (a.md): [Restore…](command:a?%5B%5D) · [Keep](command:b)')).toEqual(
    note('1 file is still changed (a.md)'),
  );
  const file = {
    kind: 'note',
    id: 'n',
    icon: 'file',
    markdown: '',
    file: '/home/me/w/a_b/c.md',
    name: 'a_b/c.md',
  } as const;
  expect(toRemoteItem(file)).toEqual({ kind: 'note', id: 'n', icon: 'file', markdown: 'a\\_b/c\\.md' });
  const opens = { sessionId: 's', runId: 'r', toolCallId: 't' };
  const step = { kind: 'step', id: 's', state: 'done', title: 'Read a.md', facts: [] } as const;
  expect(toRemoteItem({ ...step, opens })).toEqual(step);
});
