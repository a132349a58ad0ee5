import { join } from 'node:path';
import { symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../../test/samples/tools/createTestWorkspace.ts';
import { testRun, toolCallOf } from '../../../../test/builders/callContexts.ts';
import { createCoreTools } from '../../../tools/coreTools.ts';
import { createTextCache } from '../createTextCache.ts';
import { createNestedRules, type NestedRules, findNestedRules, withNestedRules } from './nestedRules.ts';

let workspace: TestWorkspace;
let isTrusted: boolean;
let rules: NestedRules;
beforeEach(async () => {
  workspace = await createTestWorkspace();
  isTrusted = true;
  const { fs } = workspace.deps;
  rules = createNestedRules({
    texts: createTextCache({ fs, platform: process.platform }),
    layout: () => workspace.layout,
    isTrusted: () => isTrusted,
    newMark: () => 'mark-1',
  });
  await workspace.put('proj/AGENTS.md', 'root');
  await workspace.put('proj/src/AGENTS.md', 'src rules');
  await workspace.put('proj/src/api/AGENTS.md', 'api rules');
  await workspace.put('proj/src/api/a.ts', 'one\n');
});
afterEach(() => workspace.remove());

describe('finding', () => {
  const find = async (path: string) => {
    const texts = createTextCache({ fs: workspace.deps.fs, platform: process.platform });
    const found = await findNestedRules({ texts, layout: workspace.layout }, join(workspace.root, path));
    return found.map(({ label, appliesTo }) => [label, appliesTo]);
  };

  it('gives those of every folder above a file but the root, the outermost first', async () => {
    const both = [
      ['src/AGENTS.md', 'src/'],
      ['src/api/AGENTS.md', 'src/api/'],
    ];
    expect(await find('src/api/a.ts')).toEqual(both);
    expect(await find('src/api')).toEqual(both);
    expect(await find('src/api/deep/not/there.ts')).toEqual(both);
    expect(await find('README.md')).toEqual([]);
    expect(await find('../elsewhere/a.ts')).toEqual([]);
  });

  it.each(['node_modules/x', 'src/vendor/x', '.git/x'])('takes no rules from below %s', async (folder) => {
    await workspace.put(`proj/${folder}/AGENTS.md`, 'evil');
    expect((await find(`${folder}/a.ts`)).flat().join()).not.toContain(folder);
  });

  it('takes none from what git ignores', async () => {
    await workspace.put('proj/.gitignore', 'out/\n/src/*\n!/src/api\n');
    await workspace.put('proj/out/AGENTS.md', 'evil');
    await workspace.put('proj/src/gen/AGENTS.md', 'evil');
    expect(await find('out/a.ts')).toEqual([]);
    expect(await find('src/gen/a.ts')).toEqual([['src/AGENTS.md', 'src/']]);
    expect(await find('src/api/a.ts')).toHaveLength(2);
  });

  it('takes none through a link out of the folder', async () => {
    await workspace.put('secret/AGENTS.md', 'key');
    await symlink(join(workspace.folder, 'secret'), join(workspace.root, 'linked'));
    expect(await find('linked/a.ts')).toEqual([]);
  });
});

describe('tool results', () => {
  const read = async (path: string, sessionId = 's1', maxChars = 16_000) => {
    const tool = createCoreTools(workspace.deps).find(({ name }) => name === 'read')!;
    const prepared = await withNestedRules(tool, rules, maxChars).prepare(toolCallOf({ sessionId }), {
      path,
    });
    return textOf(await prepared.run(testRun()));
  };

  it('bring the rules of the folder once for each session, marked, before what the tool says', async () => {
    const first = await read('src/api/a.ts');
    expect(first).toMatch(/^\[mark-1: these rules hold below src\/\]\n<workspace-file/u);
    expect(first).toContain('src rules');
    expect(first).toContain('api rules');
    expect(first.endsWith('one\n') || first.endsWith('one')).toBe(true);
    expect(await read('src/api/a.ts')).not.toContain('rules');
    expect(await read('src/api/a.ts', 's2')).toContain('api rules');
  });

  it('bring them again when the file has changed, and after the conversation was shortened', async () => {
    await read('src/api/a.ts');
    await writeFile(join(workspace.root, 'src/api/AGENTS.md'), 'api rules, second edition');
    const again = await read('src/api/a.ts');
    expect(again).toContain('second edition');
    expect(again).not.toContain('src rules');
    rules.compacted('s1', 'entry-1');
    expect(await read('src/api/a.ts')).toContain('src rules');
    rules.compacted('s1', 'entry-1');
    expect(await read('src/api/a.ts')).not.toContain('src rules');
  });

  it('only name them where they do not fit, so that the result stays whole', async () => {
    await workspace.put('proj/src/api/big.ts', 'x'.repeat(15_000));
    await workspace.put('proj/src/api/AGENTS.md', 'r'.repeat(3_000));
    const text = await read('src/api/big.ts');
    expect(text).toContain('[mark-1: rules hold below src/api/. Read src/api/AGENTS.md');
    expect(text).not.toContain('rrr');
    expect(text.length).toBeLessThanOrEqual(16_000);
  });

  it('bring none in a window that is not trusted, and none that the prompt has already', async () => {
    isTrusted = false;
    expect(await read('src/api/a.ts')).not.toContain('rules');
    isTrusted = true;
    await rules.attach('s1', [join(workspace.root, 'src/other.ts')]);
    const text = await read('src/api/a.ts');
    expect(text).toContain('api rules');
    expect(text).not.toContain('src rules');
  });
});

it('keeps the rules of what the user attached for the whole session', async () => {
  const attach = async (...paths: string[]) =>
    (
      await rules.attach(
        's1',
        paths.map((path) => join(workspace.root, path)),
      )
    ).map(({ label }) => label);
  expect(await attach()).toEqual([]);
  expect(await attach('src/api/a.ts')).toEqual(['src/AGENTS.md', 'src/api/AGENTS.md']);
  expect(await attach()).toEqual(['src/AGENTS.md', 'src/api/AGENTS.md']);
  rules.forget('s1');
  expect(await attach()).toEqual([]);
});
