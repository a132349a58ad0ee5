import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import { readPluginFiles } from '../consent/readPluginFiles.ts';
import { scanAsks } from '../consent/scanAsks.ts';
import { createPluginManager } from '../createPluginManager.ts';
import type { PluginManager } from '../pluginManager.ts';
import { mergeConfig } from '../../config/mergeConfig.ts';
import { checkPluginId } from './checkPluginId.ts';
import type { StarterKind } from './starters.ts';
import { planScaffold, writeScaffold } from './writeScaffold.ts';

const fs = createNodeFileSystem();
const kinds: readonly StarterKind[] = ['tool', 'guard', 'command'];
const answers = { name: 'Mine', description: '' };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-scaffold-'));
});
afterEach(() => rm(root, { recursive: true }));

const scaffold = (kind: StarterKind, id = 'my-plugin') =>
  writeScaffold({ fs, folder: join(root, id), dist: join(root, 'dist') }, { ...answers, id, kind });

async function withManager(work: (manager: PluginManager) => Promise<void>): Promise<void> {
  const { plugins } = mergeConfig({ plugins: { load: { paths: [root] } } }, []).config;
  const manager = createPluginManager({
    fs,
    clock: systemClock,
    log: createInMemoryLog(),
    bundledDir: undefined,
    home: join(root, 'home'),
    stateDir: join(root, 'state'),
    coreToolNames: ['write'],
    reservedCommands: [],
    settings: { set: () => Promise.resolve(plugins) },
  });
  try {
    await manager.load({ roots: [], trusted: true, config: plugins });
    await work(manager);
  } finally {
    await manager.close();
  }
}

describe('writeScaffold', () => {
  it.each(kinds)('makes a %s whose test runs with nothing installed', async (kind) => {
    const [index = ''] = await scaffold(kind);
    expect(index).toBe(join(root, 'my-plugin', 'index.ts'));
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: join(root, 'my-plugin'),
      env: { PATH: process.env['PATH'] },
    });
    expect(stdout).toContain('# pass 2\n# fail 0');
  });

  it('makes a test that fails where the plugin does', async () => {
    const [index = ''] = await scaffold('tool');
    await writeFile(index, (await readFile(index, 'utf8')).replace('>= minLength', '> minLength'));
    await expect(
      promisify(execFile)(process.execPath, ['--test'], {
        cwd: join(root, 'my-plugin'),
        env: { PATH: process.env['PATH'] },
      }),
    ).rejects.toMatchObject({ code: 1 });
  });

  it('makes plugins that load without a word, whose tool, guard and command work', async () => {
    await scaffold('tool', 'counts');
    await scaffold('guard', 'keeps');
    await scaffold('command', 'greets');
    await withManager(async (manager) => {
      expect(manager.diagnostics()).toEqual([]);
      expect(manager.plugins().map(({ id, status }) => `${id} ${status}`)).toEqual([
        'counts loaded',
        'greets loaded',
        'keeps loaded',
      ]);
      const [tool] = manager.tools({});
      const call = await tool?.prepare(testCall(), { text: 'one two' });
      const result = await call?.run(testRun());
      expect(result?.content).toEqual([{ type: 'text', text: '2 words' }]);
      const event = { toolName: 'write', params: { path: 'a/.env' } };
      const verdict = await manager.hooks.modify('before_tool_call', event, { toolName: 'write' });
      expect(verdict.block).toMatchObject({ pluginId: 'keeps', reason: '.env is off limits for tools.' });
      expect(manager.commands().map(({ name }) => name)).toEqual(['greets']);
    });
  });

  it.each(kinds)('makes a %s whose consent has nothing that can not be followed', async (kind) => {
    const [index = ''] = await scaffold(kind);
    const { files } = await readPluginFiles(fs, { rootDir: dirname(index) });
    const asks = scanAsks(files, { contractTools: [] });
    expect(asks).toMatchObject({ reaches: [], programs: [], unread: [] });
  });

  it('brings the declarations of the SDK where the program has them', async () => {
    await mkdir(join(root, 'dist', 'plugin-sdk'), { recursive: true });
    await writeFile(
      join(root, 'dist', 'plugin-sdk', 'openclaw.d.ts'),
      'export interface OpenClawPluginApi {}',
    );
    await scaffold('tool');
    expect(await readdir(join(root, 'my-plugin', 'types'))).toEqual(['openclaw.d.ts']);
    expect(await readFile(join(root, 'my-plugin', 'tsconfig.json'), 'utf8')).toContain('"paths"');
  });

  it('writes into no folder that is there', async () => {
    await mkdir(join(root, 'my-plugin'));
    await expect(scaffold('tool')).rejects.toMatchObject({ code: 'plugin_folder_exists' });
    expect(await readdir(join(root, 'my-plugin'))).toEqual([]);
  });
});

describe('planScaffold', () => {
  it('keeps what the author says out of code, and plain in text', () => {
    const name = '"; process.exit(1); //\n\u202E<b>';
    const files = planScaffold({ id: 'p', name, description: name, kind: 'tool' });
    const text = (path: string) => files.find((file) => file.path === path)?.text ?? '';
    expect(text('index.ts')).not.toContain('exit');
    expect(JSON.parse(text('openclaw.plugin.json'))).toMatchObject({ name: '"; process.exit(1); // <b>' });
    expect(text('README.md')).toContain('\\<b\\>');
  });

  it('documents the setting that it brings', () => {
    for (const kind of kinds) {
      const files = planScaffold({ id: 'p', name: '', description: '', kind });
      const manifest: unknown = JSON.parse(files[0]?.text ?? '');
      const setting = { default: expect.anything() as unknown, description: expect.any(String) as unknown };
      expect(
        Object.values((manifest as { configSchema: { properties: object } }).configSchema.properties),
      ).toEqual([expect.objectContaining(setting)]);
    }
  });

  it('points at no declarations that name their modules themselves', () => {
    const files = planScaffold(
      { id: 'p', name: '', description: '', kind: 'tool' },
      "declare module 'openclaw' {}",
    );
    expect(files.find(({ path }) => path === 'tsconfig.json')?.text).not.toContain('paths');
  });

  it('makes nothing of an id that is none', () => {
    expect(() => planScaffold({ id: '../x', name: '', description: '', kind: 'tool' })).toThrow(
      /lowercase letters/u,
    );
  });
});

describe('checkPluginId', () => {
  it.each(['a', 'word-count', 'plugin2'])('accepts %s', (id) => expect(checkPluginId(id)).toBeUndefined());

  it.each([
    '',
    'A',
    '2x',
    'a_b',
    'a--b',
    '-a',
    'a-',
    'a/b',
    '../a',
    'nul',
    'dist',
    'a.disabled',
    'x'.repeat(51),
  ])('refuses %j', (id) => expect(checkPluginId(id)).toBeTypeOf('string'));

  it('refuses one that is taken', () => expect(checkPluginId('read', ['read'])).toContain('taken'));
});
