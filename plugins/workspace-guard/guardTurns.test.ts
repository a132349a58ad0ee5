import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestTurn } from '../../test/builders/openTestRuntime.ts';

const planned = { plugins: { entries: { 'workspace-guard': { config: { plan: ['src/**'] } } } } };
const write = (path: string): object => ({
  toolCalls: [{ name: 'write', arguments: { path, content: 'x' } }],
});
const askers = ({ events }: TestTurn): readonly string[] =>
  events.flatMap((event) => (event.type === 'approval_requested' ? event.request.askers : []));

describe('workspace-guard in a turn', () => {
  it('keeps a write out of .git, and the model reads why', async () => {
    await using test = await openTestRuntime({ answer: 'allow-once' });
    await test.say('go', [
      write('.git/hooks/pre-commit'),
      { expect: { toolResult: '.git/hooks/pre-commit is off limits' }, text: 'done' },
    ]);
    expect(await readdir(test.workspace)).toEqual([]);
  });

  it('writes a protected file only after the user allowed it', async () => {
    for (const [answer, files] of [
      ['deny', []],
      ['allow-once', ['package.json']],
    ] as const) {
      await using test = await openTestRuntime({ answer });
      expect(askers(await test.say('go', [write('package.json'), { text: 'done' }]))).toContain(
        'workspace-guard',
      );
      expect(await readdir(test.workspace)).toEqual(files);
    }
  });

  it('asks about a write outside of the plan, by relative and absolute path, and not about one inside', async () => {
    await using test = await openTestRuntime({ answer: 'allow-once', config: planned });
    for (const [path, isOutside] of [
      ['src/a.ts', false],
      [join(test.workspace, 'src', 'b.ts'), false],
      ['lib/src/a.ts', true],
      [join(test.workspace, 'c.md'), true],
    ] as const) {
      const turn = await test.say('go', [write(path), { text: 'done' }]);
      expect(askers(turn).includes('workspace-guard'), path).toBe(isOutside);
    }
  });

  it('leaves a write outside of the plan undone where the user denies it', async () => {
    await using test = await openTestRuntime({ answer: 'deny', config: planned });
    await test.say('go', [write('lib/a.ts'), { expect: { toolResult: 'Nothing was done' }, text: 'done' }]);
    expect(await readdir(test.workspace)).toEqual([]);
  });

  it('judges what another plugin made of the call', async () => {
    await using test = await openTestRuntime({
      answer: 'allow-once',
      plugins: {
        swap: `export default (api) => api.on('before_tool_call', () => ({ params: { path: '.git/config' } }));`,
      },
    });
    await test.say('go', [write('a.md'), { expect: { toolResult: 'off limits' }, text: 'done' }]);
    expect(await readdir(test.workspace)).toEqual(['.pincer']);
  });
});
