import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { Params } from '../../contracts/jsonTypes.ts';
import { createSkillCatalog, type SkillCatalog, type SkillPlacesInput } from './createSkillCatalog.ts';
import { createSkillFiles } from './createSkillFiles.ts';
import { createSkillTool } from './createSkillTool.ts';

let root: string;
let state: SkillPlacesInput & { isEnabled: boolean };
let catalog: SkillCatalog;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-skills-')));
  for (const folder of ['w', 'home', 'user', 'p']) await mkdir(join(root, folder));
  state = {
    layout: { roots: [join(root, 'w')], platform: process.platform },
    isTrusted: true,
    home: join(root, 'home'),
    userHome: join(root, 'user'),
    configured: [],
    plugins: [{ pluginId: 'words', rootDir: join(root, 'p'), folder: join(root, 'p/skills') }],
    isEnabled: true,
  };
  catalog = createSkillCatalog({
    fs: createNodeFileSystem(),
    platform: process.platform,
    state: () => state,
  });
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function putSkill(folder: string, name: string, text = `Text of ${folder}`): Promise<void> {
  await put(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: of ${folder}\n---\n${text}\n`);
}

const listed = async () => (await catalog.list()).skills.map(({ name, origin }) => `${name} ${origin}`);
const codes = async () => (await catalog.list()).diagnostics.map(({ code }) => code);

describe('finding', () => {
  it('finds them in every place: config, user, workspace, plugins', async () => {
    state = { ...state, configured: ['~/mine', '~/single'] };
    await putSkill('user/mine/a', 'a');
    await putSkill('user/single', 'b');
    await putSkill('home/skills/c', 'c');
    await putSkill('w/.pincer/skills/d', 'd');
    await putSkill('w/.github/skills/e', 'e');
    await putSkill('w/.claude/skills/f', 'f');
    await putSkill('w/skills/g', 'g');
    await putSkill('p/skills/h', 'h');
    expect(await listed()).toEqual([
      'a config',
      'b config',
      'c user',
      'd workspace',
      'e workspace',
      'f workspace',
      'g workspace',
      'h plugin',
    ]);
    expect(await codes()).toEqual([]);
  });

  it('lets no skill of the workspace take the place of one of the user, and tells of it', async () => {
    await putSkill('w/skills/deploy', 'Deploy');
    await putSkill('home/skills/deploy', 'deploy');
    await putSkill('p/skills/deploy', 'deploy');
    expect(await listed()).toEqual(['deploy user']);
    const { diagnostics } = await catalog.list();
    expect(diagnostics.map(({ code, source }) => [code, source])).toEqual([
      ['skill_overridden', join(root, 'w/skills/deploy/SKILL.md')],
      ['skill_overridden', join(root, 'p/skills/deploy/SKILL.md')],
    ]);
  });

  it('takes none of the workspace in a window that is not trusted', async () => {
    await putSkill('w/skills/evil', 'evil');
    await putSkill('home/skills/mine', 'mine');
    state = { ...state, isTrusted: false };
    expect(await listed()).toEqual(['mine user']);
  });

  it('takes none at all where they are switched off', async () => {
    await putSkill('home/skills/mine', 'mine');
    state = { ...state, isEnabled: false };
    expect(await listed()).toEqual([]);
    expect(catalog.isEmpty()).toBe(true);
  });

  it('leaves out what is broken, leads out of the folder or is missing, and says which file', async () => {
    state = { ...state, configured: ['~/gone', 'relative'] };
    await put('w/skills/broken/SKILL.md', 'no frontmatter');
    await putSkill('elsewhere/secret', 'secret');
    await mkdir(join(root, 'w/.claude/skills'), { recursive: true });
    await symlink(join(root, 'elsewhere/secret'), join(root, 'w/.claude/skills/linked'));
    expect(await listed()).toEqual([]);
    expect((await codes()).sort()).toEqual([
      'skill_folder_missing',
      'skill_folder_missing',
      'skill_unused',
      'skill_unused',
    ]);
  });

  it('sees a skill that changed, also where its size stays the same', async () => {
    await putSkill('w/skills/a', 'aa');
    expect(await listed()).toEqual(['aa workspace']);
    await putSkill('w/skills/a', 'bb');
    await utimes(join(root, 'w/skills/a/SKILL.md'), new Date(), new Date(Date.now() + 5_000));
    expect(await listed()).toEqual(['bb workspace']);
    await rm(join(root, 'w/skills/a'), { recursive: true });
    expect(await listed()).toEqual([]);
  });
});

describe('the tool', () => {
  const call = async (params: Params, maxResultChars = 16_000) => {
    const tool = createSkillTool({
      skills: catalog,
      files: createSkillFiles(createNodeFileSystem(), process.platform),
      layout: () => state.layout,
      maxResultChars,
    });
    const prepared = await tool.prepare(testCall(), params);
    const { content } = await prepared.run(testRun());
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { text, effects: prepared.effects };
  };

  it('gives the text of a skill and the files beside it, but no secrets, links or hidden files', async () => {
    await putSkill('w/skills/deploy', 'deploy', 'Step\u202E one.');
    await put('w/skills/deploy/scripts/run.sh', 'echo');
    await put('w/skills/deploy/.env', 'KEY=1');
    await put('w/skills/deploy/server.pem', 'KEY');
    await symlink(join(root, 'user'), join(root, 'w/skills/deploy/link'));
    const { text, effects } = await call({ name: 'Deploy' });
    expect(text).toBe('Skill deploy\n\nStep one.\n\nFiles of this skill: scripts/run.sh');
    expect(effects).toEqual([{ kind: 'read', path: join(root, 'w/skills/deploy/SKILL.md') }]);
  });

  it('reads a file of a skill that lies outside of the workspace', async () => {
    await putSkill('home/skills/mine', 'mine');
    await put('home/skills/mine/more/notes.md', 'Notes');
    const { text, effects } = await call({ name: 'mine', file: 'more/notes.md' });
    expect(text).toBe('Skill mine\n\nNotes');
    expect(effects).toEqual([]);
  });

  it.each(['../../config.jsonc', '/etc/passwd', 'more/../../x', '.env', 'link/key', 'gone.md', 'bin.dat'])(
    'reads no %s',
    async (file) => {
      await putSkill('home/skills/mine', 'mine');
      await put('home/config.jsonc', '{}');
      await put('home/skills/mine/.env', 'KEY=1');
      await put('home/skills/mine/bin.dat', 'a\0b');
      await put('user/key', 'KEY');
      await symlink(join(root, 'user'), join(root, 'home/skills/mine/link'));
      await expect(call({ name: 'mine', file })).rejects.toMatchObject({ code: 'skill_file_unknown' });
    },
  );

  it('gives a long skill in pages', async () => {
    await putSkill(
      'w/skills/long',
      'long',
      Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join('\n'),
    );
    const { text } = await call({ name: 'long' }, 1_400);
    const next = Number(/Go on with offset (\d+)/u.exec(text)?.[1]);
    expect(text.length).toBeLessThan(1_400);
    expect((await call({ name: 'long', offset: next }, 1_400)).text).toContain(`\n\nline ${next}\n`);
  });

  it('names what there is where a skill does not exist', async () => {
    await putSkill('w/skills/deploy', 'deploy');
    await expect(call({ name: 'deplyo' })).rejects.toMatchObject({
      code: 'skill_unknown',
      hint: 'There are: deploy.',
    });
  });
});
