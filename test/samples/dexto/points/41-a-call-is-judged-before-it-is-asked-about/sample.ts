import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample, type PointTurn } from '../pointSample.ts';

const write = (path: string): object => ({
  toolCalls: [{ name: 'write', arguments: { path, content: 'new' } }],
});
const questions = ({ events }: PointTurn): readonly unknown[] =>
  events.flatMap((event) => (event.type === 'approval_requested' ? [event.request.params] : []));

export default sample({
  rule: 'beforeToolCall comes before the question: the person is asked about the call as plugins left it, and not at all about one that is blocked',
  answer: 'allow-once',
  async check({ say, marks, workspace }) {
    const turn = await say('go', [write('a.md'), { text: 'Done.' }]);
    expect(questions(turn)).toEqual([{ path: 'drafts/a.md', content: 'new' }]);
    expect(await readFile(join(workspace, 'drafts', 'a.md'), 'utf8')).toBe('new');
    const blocked = await say('go on', [write('secret.md'), { text: 'Done.' }]);
    expect(questions(blocked)).toEqual([]);
    expect(blocked.results).toEqual([expect.stringContaining('Not that file.')]);
    expect(marks).toEqual(['write drafts/a.md', 'write drafts/secret.md']);
  },
});
