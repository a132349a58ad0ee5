import { describe, expect, it } from 'vitest';
import { connects, executes } from '../../test/builders/callContexts.ts';
import type { CallKind } from '../contracts/approval.ts';
import type { ToolEffect } from '../contracts/tool.ts';
import { kindOfCall } from './createWiderAnswers.ts';
import type { JudgePath } from './decideAsk.ts';

/** Two folders, `/a` and `/b`; all else is outside. */
const judgePath: JudgePath = (path) => {
  const [, workspace] = /^(\/[ab])(?:\/|$)/u.exec(path) ?? [];
  return { workspace, relative: path, label: path };
};
const edits = (path: string): ToolEffect => ({
  kind: 'edit',
  edit: { path, label: path, before: null, after: 'x' },
});
const reads = (path: string): ToolEffect => ({ kind: 'read', path });

describe('what a call does, and where', () => {
  it.each<[string, readonly ToolEffect[], CallKind | undefined]>([
    ['edits of one folder', [edits('/a/1'), edits('/a/2')], { does: 'edit', root: '/a' }],
    ['edits of two folders', [edits('/a/1'), edits('/b/2')], undefined],
    ['an edit outside of all', [edits('/etc/x')], undefined],
    ['a command', [executes('ls', { workdir: '/b/sub' })], { does: 'command', root: '/b' }],
    [
      'a command that reads',
      [executes('cat x', { workdir: '/b' }), reads('/a/x')],
      { does: 'command', root: '/b' },
    ],
    ['a command that changes files, too', [executes('ls', { workdir: '/a' }), edits('/a/1')], undefined],
    ['a connection', [connects('example.org')], { does: 'connection', root: '' }],
    ['a message', [{ kind: 'message', sessionId: 's', to: 'x', text: 'y' }], undefined],
    ['reading', [reads('/a/x')], undefined],
    ['nothing', [], undefined],
  ])('%s', (_name, effects, expected) => {
    expect(kindOfCall(effects, judgePath)).toEqual(expected);
  });
});
