import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTextCache } from '../agent/prompt/createTextCache.ts';
import { createNestedRules } from '../agent/prompt/rules/nestedRules.ts';
import { systemPromptOf } from '../agent/prompt/planWholePrompt.ts';
import { createSkillCatalog } from '../agent/skills/createSkillCatalog.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createInternalEvents, type InternalEvent } from '../plugins/operatorHooks/createInternalEvents.ts';
import { createSessionStore } from '../sessions/sessionStore.ts';
import { createPromptParts } from './createPromptSide.ts';

let root: string;
let folders: readonly string[];
let isTrusted: boolean;
let problems: Diagnostic[];
let folder: string | undefined;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-prompt-')));
  folders = [join(root, 'web')];
  isTrusted = true;
  problems = [];
  folder = undefined;
});
afterEach(() => rm(root, { recursive: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

function open() {
  const fs = createNodeFileSystem();
  const clock = createManualClock();
  const report = (each: Diagnostic): void => void problems.push(each);
  const layout = () => ({ roots: folders, platform: process.platform });
  const texts = createTextCache({ fs, platform: process.platform });
  const events = createInternalEvents({ clock, report });
  const parts = createPromptParts({
    host: { clock, platform: process.platform },
    events,
    texts,
    nested: createNestedRules({ texts, layout, isTrusted: () => isTrusted, newMark: () => 'm1' }),
    skills: createSkillCatalog({
      fs,
      platform: process.platform,
      state: () => ({
        layout: layout(),
        isTrusted,
        home: join(root, 'home'),
        userHome: root,
        configured: [],
        plugins: [],
        isEnabled: true,
      }),
    }),
    report,
    state: () => ({ folders, isTrusted, instructions: 'Be kind.' }),
    agentOf: () => ({ id: 'main', name: 'main', instructions: '', folder }),
  });
  const session = createSessionStore({
    fs,
    clock,
    log: createInMemoryLog(),
    folder: join(root, 'state'),
    channel: 'cli',
  }).create(folders);
  return { events, build: (attached: readonly string[] = []) => parts(session, { attached }) };
}

const rulesOf = (parts: readonly PromptPart[]) =>
  parts.filter(({ id }) => id.startsWith('rules:')).map(({ title }) => title);

it('has the rules files of the workspace, with the path of each as its owner', async () => {
  await put({
    'web/AGENTS.md': 'Use tabs.',
    'web/SOUL.md': 'Be calm.',
    'web/CLAUDE.md': 'Use pnpm.',
    'web/.github/copilot-instructions.md': 'Use pnpm.',
    'web/src/AGENTS.md': 'src only',
  });
  const parts = await open().build();
  expect(rulesOf(parts)).toEqual(['AGENTS.md', 'SOUL.md', 'CLAUDE.md']);
  const claude = parts.find(({ title }) => title === 'CLAUDE.md');
  expect(claude).toMatchObject({
    owner: { kind: 'file', path: join(root, 'web/CLAUDE.md') },
    note: '.github/copilot-instructions.md says the same and is left out.',
  });
});

it('adds the rules of a folder once the user attaches a file of it', async () => {
  await put({ 'web/src/AGENTS.md': 'src only', 'web/src/a.ts': '' });
  const { build } = open();
  expect(rulesOf(await build())).toEqual([]);
  expect(rulesOf(await build([join(root, 'web/src/a.ts')]))).toEqual(['src/AGENTS.md']);
});

it('has nothing of the workspace in a window that is not trusted', async () => {
  await put({
    'web/AGENTS.md': 'SECRET',
    'web/CLAUDE.md': 'SECRET',
    'web/src/AGENTS.md': 'SECRET',
    'web/skills/evil/SKILL.md': '---\nname: evil\ndescription: SECRET\n---\n',
    'home/skills/mine/SKILL.md': '---\nname: mine\ndescription: d\n---\n',
  });
  isTrusted = false;
  const text = systemPromptOf(await open().build([join(root, 'web/src/a.ts')]));
  expect(text).not.toContain('SECRET');
  expect(text).toContain('- mine: d');
  expect(text).toContain('Be kind.');
  expect(text).toContain('you can read files and change none');
});

it('names the folder that rules hold for where there are several, the one of the agent first', async () => {
  await put({ 'web/AGENTS.md': 'web rules', 'api/AGENTS.md': 'api rules', 'api/CLAUDE.md': 'web rules' });
  folders = [join(root, 'web'), join(root, 'api')];
  const parts = await open().build();
  expect(rulesOf(parts)).toEqual(['web/AGENTS.md', 'api/AGENTS.md', 'api/CLAUDE.md']);
  expect(systemPromptOf(parts)).toContain('path="web/AGENTS.md" applies-to="web/"');
  folder = join(root, 'api');
  const other = await open().build();
  expect(rulesOf(other)).toEqual(['api/AGENTS.md', 'api/CLAUDE.md', 'web/AGENTS.md']);
  expect(systemPromptOf(other)).toContain(`Workspace folder: ${join(root, 'api')}`);
});

it('takes no rules through a link out of the folder, and says so', async () => {
  await put({ key: 'KEY', 'web/a.md': '' });
  await symlink(join(root, 'key'), join(root, 'web/CLAUDE.md'));
  await symlink(join(root, 'key'), join(root, 'web/AGENTS.md'));
  const parts = await open().build();
  expect(rulesOf(parts)).toEqual([]);
  expect(problems.map(({ code, source }) => [code, source]).sort()).toEqual([
    ['rules_file_unused', join(root, 'web/AGENTS.md')],
    ['rules_file_unused', join(root, 'web/CLAUDE.md')],
  ]);
});

it('follows a link within the folder', async () => {
  await put({ 'web/docs/agents.md': 'linked rules' });
  await symlink(join(root, 'web/docs/agents.md'), join(root, 'web/CLAUDE.md'));
  expect(rulesOf(await open().build())).toEqual(['CLAUDE.md']);
});

it('reads a rules file again once it has changed', async () => {
  await put({ 'web/AGENTS.md': 'first' });
  const { build } = open();
  expect(systemPromptOf(await build())).toContain('first');
  await put({ 'web/AGENTS.md': 'the second' });
  expect(systemPromptOf(await build())).toContain('the second');
  await rm(join(root, 'web/AGENTS.md'));
  expect(rulesOf(await build())).toEqual([]);
});

it('takes the bootstrap files as operator hooks leave them', async () => {
  await put({ 'web/AGENTS.md': 'Use tabs.', 'web/USER.md': 'Ada' });
  const { events, build } = open();
  const handler = ({ context }: InternalEvent): void => {
    context['bootstrapFiles'] = [
      { name: 'EXTRA.md', path: '/hook/EXTRA.md', content: 'by a hook', missing: false },
    ];
  };
  events.setListeners('hooks', [{ name: 'edit', events: ['agent:bootstrap'], handler }]);
  const parts = await build();
  expect(rulesOf(parts)).toEqual(['EXTRA.md']);
  expect(systemPromptOf(parts)).toContain('by a hook');
});
