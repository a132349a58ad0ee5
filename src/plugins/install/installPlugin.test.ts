import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import { createConsentStore } from '../consent/consentStore.ts';
import { readInstallRecord } from '../discover/readInstallRecord.ts';
import type { PluginRecord } from '../pluginTypes.ts';
import { installPlugin, type InstallOutcome, type InstallParts } from './installPlugin.ts';
import type { InstallProposal } from './planInstall.ts';
import { buildArchive } from '../../../test/builders/testArchive.ts';
import { findInstalled, uninstallPlugin } from './uninstallPlugin.ts';

const fs = createNodeFileSystem();
let root: string;
let home: string;
let asked: InstallProposal[];
let announced: unknown[];
let needed: unknown[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-install-'));
  home = join(root, 'home');
  asked = [];
  announced = [];
  needed = [];
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Readonly<Record<string, string>>, folder = 'source'): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, folder, path)), { recursive: true });
    await writeFile(join(root, folder, path), text);
  }
  return join(root, folder);
}

function plugin(version: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    'openclaw.plugin.json': JSON.stringify({ id: 'words', version, configSchema: {} }),
    'index.js': `module.exports = () => '${version}';`,
    ...more,
  };
}

type Answer = Awaited<ReturnType<InstallParts['hooks']['modify']>>;

function parts(given: Partial<InstallParts> & { readonly answer?: unknown } = {}): InstallParts {
  const { answer, ...rest } = given;
  return {
    fs,
    clock: systemClock,
    surface: 'vscode',
    home,
    hooks: {
      has: () => answer !== undefined,
      modify: (_name, event, context) => {
        announced.push({ event, context });
        return Promise.resolve(answer as Answer);
      },
    },
    consents: createConsentStore(fs, home),
    others: [],
    confirm: (proposal) => {
      asked.push(proposal);
      return Promise.resolve(true);
    },
    confirmDependencies: (_id, names) => {
      needed.push(names);
      return Promise.resolve(true);
    },
    tryOut: () => Promise.resolve(undefined),
    ...rest,
  };
}

const install = (source: string, given?: Parameters<typeof parts>[0]): Promise<InstallOutcome> =>
  installPlugin(parts(given), source);
const installed = (path: string) => readFile(join(home, 'plugins', 'words', path), 'utf8');
/** What a failed install may leave: nothing but plugins and what the user was told. */
const inHome = async () =>
  (await readdir(home)).filter((name) => !['consents.json', 'installs'].includes(name));
const recorded = async () => await readInstallRecord(fs, home, 'words');

describe('skills that a plugin brings', () => {
  const manifest = JSON.stringify({ id: 'words', configSchema: {}, skills: ['./skills'] });
  const withSkills = () =>
    write({
      'openclaw.plugin.json': manifest,
      'index.js': 'module.exports = () => undefined;',
      'skills/tidy/SKILL.md': '# Tidy',
      'other/SKILL.md': '# No skill of the manifest',
    });

  it('are announced to before_install after the plugin, with where the user asked', async () => {
    const source = await withSkills();
    expect((await install(source, { answer: { findings: [] } })).kind).toBe('installed');
    expect(announced).toMatchObject([
      { event: { targetType: 'plugin', targetName: 'words' }, context: { origin: 'vscode' } },
      {
        event: {
          targetType: 'skill',
          targetName: 'tidy',
          sourcePath: expect.stringMatching(/skills.tidy$/u) as string,
          request: { kind: 'skill-install', mode: 'install', requestedSpecifier: source },
          skill: { installId: 'tidy' },
        },
        context: { targetType: 'skill', requestKind: 'skill-install', origin: 'vscode' },
      },
    ]);
  });

  it('keep the whole plugin out where one is blocked', async () => {
    const hooks = {
      has: () => true,
      modify: (_name: string, { targetType }: { readonly targetType?: string }) =>
        Promise.resolve({
          findings: [],
          ...(targetType === 'skill' ? { block: { pluginId: 'gate', reason: 'no skills' } } : {}),
        }),
    } as unknown as InstallParts['hooks'];
    expect(await install(await withSkills(), { hooks })).toEqual({
      kind: 'blocked',
      id: 'words',
      by: 'gate',
      reason: 'no skills',
    });
    expect(asked).toEqual([]);
  });
});

describe('dependencies of a plugin', () => {
  /** A package of the disk, so that npm needs no network. Its script must never run. */
  const withDependency = async (spec?: string): Promise<string> => {
    const scripts = { postinstall: `node -e "fs.writeFileSync('${join(root, 'ran')}', '')"` };
    const left = JSON.stringify({ name: 'left', version: '1.0.0', scripts });
    const archive = [
      { name: 'package/package.json', text: left },
      { name: 'package/index.js', text: "module.exports = 'left';" },
    ];
    await writeFile(join(root, 'left.tgz'), buildArchive(archive));
    const dependencies = { left: spec ?? `file:${join(root, 'left.tgz')}`, openclaw: '*' };
    const devDependencies = { '@openclaw/plugin-sdk': 'workspace:*' };
    const own = { name: 'words', dependencies, devDependencies, scripts };
    return await write(plugin('2.0.0', { 'package.json': JSON.stringify(own), '.npmrc': 'git=./evil' }));
  };

  it('are fetched by npm without those of its development, asked for, and no script runs', async () => {
    const source = await withDependency();
    expect(await install(source)).toMatchObject({ kind: 'installed' });
    expect(needed).toEqual([['left']]);
    expect(await installed('node_modules/left/index.js')).toContain('left');
    expect(asked[0]?.scan).toMatchObject({ missingDependencies: [], asks: { packages: ['left'] } });
    expect(await readdir(join(home, 'plugins', 'words', 'node_modules'))).not.toContain('openclaw');
    expect(await readdir(root)).not.toContain('ran');
    expect(await inHome()).toEqual(['plugins']);
  });

  it('that npm can not fetch leave everything as it was', async () => {
    await install(await write(plugin('1.0.0')));
    const source = await withDependency(`file:${join(root, 'nowhere.tgz')}`);
    await expect(install(source)).rejects.toMatchObject({
      code: 'plugin_dependencies_failed',
      message: expect.stringContaining('nowhere.tgz') as string,
    });
    expect(await installed('index.js')).toContain('1.0.0');
    expect(await inHome()).toEqual(['plugins']);
  });

  it('are not fetched after a no, and nothing is installed', async () => {
    const run = (): never => {
      throw new Error('npm was started');
    };
    const source = await withDependency();
    const no = { run, confirmDependencies: () => Promise.resolve(false) };
    expect(await install(source, no)).toMatchObject({ kind: 'declined', proposal: { id: 'words' } });
    expect(await inHome()).toEqual([]);
  });
});

describe('installPlugin', () => {
  it('copies a folder with its packages below the home and says where it came from', async () => {
    const source = await write(plugin('1.0.0', { 'node_modules/x/a.js': 'x', '.git/config': 'no' }));
    expect(await install(source)).toMatchObject({ kind: 'installed', proposal: { id: 'words' } });
    expect(await installed('index.js')).toContain('1.0.0');
    expect(await installed('node_modules/x/a.js')).toBe('x');
    expect(await recorded()).toEqual({
      version: 1,
      id: 'words',
      folder: join(home, 'plugins', 'words'),
      pluginVersion: '1.0.0',
      source,
      installedAt: expect.stringMatching(/^\d{4}-.*Z$/u) as unknown,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/u) as unknown,
    });
    expect(await readdir(join(home, 'plugins', 'words'))).not.toContain('.git');
    expect(await inHome()).toEqual(['plugins']);
  });

  it('installs an archive', async () => {
    const entries = Object.entries(plugin('1.0.0')).map(([name, text]) => ({
      name: `package/${name}`,
      text,
    }));
    const source = join(root, 'words-1.0.0.tgz');
    await writeFile(source, buildArchive(entries));
    expect(await install(source)).toMatchObject({ kind: 'installed', proposal: { version: '1.0.0' } });
    expect(await installed('index.js')).toContain('1.0.0');
  });

  it('asks before anything is there, and leaves nothing after a no', async () => {
    const source = await write(plugin('1.0.0'));
    const confirm: InstallParts['confirm'] = async () => {
      expect((await inHome()).every((name) => name.startsWith('.install-'))).toBe(true);
      return false;
    };
    expect((await install(source, { confirm })).kind).toBe('declined');
    expect(await inHome()).toEqual([]);
  });

  it.each([
    ['1.2.0', 'update'],
    ['1.10.0', 'update'],
    ['1.0.0-beta', 'downgrade'],
    ['0.9.0', 'downgrade'],
    ['1.1.0', 'other-files'],
    ['nightly', 'update'],
  ])('replaces 1.1.0 by %s and says that this is: %s', async (version, kind) => {
    await install(await write(plugin('1.1.0')));
    const next = await write(plugin(version, { 'new.js': '' }), 'next');
    await install(next);
    expect(asked.at(-1)?.change).toEqual({ kind, from: '1.1.0' });
    expect(await installed('index.js')).toContain(`'${version}'`);
    expect(await inHome()).toEqual(['plugins']);
  });

  it('asks nothing where exactly these files are installed', async () => {
    const source = await write(plugin('1.0.0'));
    await install(source);
    expect((await install(source)).kind).toBe('unchanged');
    expect(asked).toHaveLength(1);
  });

  it('puts the version before it back where the new one does not load', async () => {
    await install(await write(plugin('1.0.0')));
    const next = await write(plugin('2.0.0'), 'next');
    const outcome = await install(next, { tryOut: () => Promise.resolve('it throws') });
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: 'it throws' });
    expect(await recorded()).toMatchObject({ pluginVersion: '1.0.0' });
    expect(await installed('index.js')).toContain('1.0.0');
    expect(await inHome()).toEqual(['plugins']);
  });

  it('leaves no record of a first version where loading it breaks', async () => {
    const tryOut = () => Promise.reject(new Error('disk'));
    await expect(install(await write(plugin('1.0.0')), { tryOut })).rejects.toThrow('disk');
    expect(await recorded()).toBeUndefined();
    expect(await inHome()).toEqual(['plugins']);
  });

  it('has the record in place when it is tried out: what ranks as installed takes the place of others', async () => {
    let seen: unknown;
    const tryOut = async () => void (seen = await recorded());
    await install(await write(plugin('1.0.0')), { tryOut });
    expect(seen).toMatchObject({ pluginVersion: '1.0.0' });
  });

  it('puts the version before it back where loading it breaks', async () => {
    await install(await write(plugin('1.0.0')));
    const next = await write(plugin('2.0.0'), 'next');
    await expect(install(next, { tryOut: () => Promise.reject(new Error('disk')) })).rejects.toThrow('disk');
    expect(await installed('index.js')).toContain('1.0.0');
  });

  it('keeps a first version that does not load: it may lack its settings', async () => {
    const outcome = await install(await write(plugin('1.0.0')), {
      tryOut: () => Promise.resolve('no settings'),
    });
    expect(outcome.kind).toBe('installed');
  });

  it('tells plugins what it is about, and stops where one blocks', async () => {
    const source = await write(plugin('1.0.0', { 'a.js': 'eval(text)' }));
    const block = { pluginId: 'gate', reason: 'not on this machine' };
    expect(await install(source, { answer: { findings: [], block } })).toEqual({
      kind: 'blocked',
      id: 'words',
      by: 'gate',
      reason: 'not on this machine',
    });
    expect(announced).toMatchObject([
      {
        event: {
          targetType: 'plugin',
          targetName: 'words',
          request: { kind: 'plugin-dir', mode: 'install', requestedSpecifier: source },
          builtinScan: { status: 'ok', warn: 1, critical: 0, findings: [{ ruleId: 'evaluates-text' }] },
          plugin: { pluginId: 'words', version: '1.0.0' },
        },
        context: { targetType: 'plugin', requestKind: 'plugin-dir' },
      },
    ]);
    expect(asked).toEqual([]);
    expect(await inHome()).toEqual([]);
  });

  it('shows what plugins found, the worst first, as plain text', async () => {
    const findings = [{ message: 'hm\n\u202Eevil' }, { message: 'bad', severity: 'critical', line: 7 }, 1];
    await install(await write(plugin('1.0.0')), { answer: { findings } });
    expect(asked[0]?.findings).toMatchObject([
      { severity: 'critical', message: 'bad', line: 7 },
      { severity: 'warn', message: 'hm evil' },
      { severity: 'warn' },
    ]);
  });

  it('says that it takes the place of a plugin that comes with the program', async () => {
    const others = [{ id: 'words', origin: 'bundled', rootDir: '/dist/words' } as PluginRecord];
    await install(await write(plugin('1.0.0')), { others });
    expect(asked[0]?.findings).toMatchObject([{ severity: 'critical', ruleId: 'same-id' }]);
  });

  it('does not take a record that the package brings for its own', async () => {
    await install(await write(plugin('1.0.0', { '.pincer-install.json': '{"forged": true}' })));
    expect(await recorded()).toMatchObject({ version: 1, id: 'words' });
    expect(await readdir(join(home, 'plugins', 'words'))).not.toContain('.pincer-install.json');
  });

  it('knows the same files again, with the record of another install among them', async () => {
    await install(await write(plugin('1.0.0')));
    const copy = await write({ ...plugin('1.0.0'), '.pincer-install.json': '{}' }, 'copy');
    expect((await install(copy)).kind).toBe('unchanged');
  });

  it('replaces no folder that brings a record of its own', async () => {
    const folder = join(home, 'plugins', 'words');
    const forged = { version: 1, id: 'words', folder, source: '', installedAt: '', hash: '' };
    await write(plugin('1.0.0', { '.pincer-install.json': JSON.stringify(forged) }), 'home/plugins/words');
    await expect(install(await write(plugin('2.0.0')))).rejects.toMatchObject({
      code: 'plugin_folder_taken',
    });
  });

  it('replaces no folder that it did not put there', async () => {
    const source = await write(plugin('2.0.0'));
    await write(plugin('1.0.0'), 'home/plugins/words');
    await expect(install(source)).rejects.toMatchObject({ code: 'plugin_folder_taken' });
    expect(await installed('index.js')).toContain('1.0.0');
    expect(await inHome()).toEqual(['plugins']);
  });

  it('does not follow a link that lies in its place', async () => {
    await install(await write(plugin('1.0.0')));
    await rename(join(home, 'plugins', 'words'), join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(home, 'plugins', 'words'));
    await expect(install(await write(plugin('2.0.0'), 'next'))).rejects.toMatchObject({
      code: 'plugin_folder_taken',
    });
  });

  it.each([
    ['no manifest', { 'index.js': '' }, /manifest not found/u],
    ['no entry', { 'openclaw.plugin.json': '{"id":"x","configSchema":{}}' }, /no entry file/u],
    [
      'a broken manifest',
      { 'openclaw.plugin.json': '{', 'index.js': '' },
      /failed to parse plugin manifest/u,
    ],
    [
      'an id that forges lines',
      { 'openclaw.plugin.json': '{"id":"a\\nb","configSchema":{}}', 'index.js': '' },
      /id/u,
    ],
    ['nothing', { 'readme.md': '' }, /no plugin in/u],
    [
      'several plugins',
      { 'a/index.js': '', 'a/openclaw.plugin.json': '{"id":"a","configSchema":{}}' },
      /folder of plugins/u,
    ],
  ])('refuses a folder with %s, and names the folder the user knows', async (_title, files, message) => {
    const source = await write(files);
    const failure = await install(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'plugin_not_installable',
      message: expect.stringMatching(message) as unknown,
    });
    expect(String(failure)).not.toContain('.install-');
    expect(await inHome()).toEqual([]);
  });
});

describe('uninstallPlugin', () => {
  const uninstall = (id: string, isSure = true, others: readonly PluginRecord[] = []) =>
    uninstallPlugin({ fs, home, others, confirm: () => Promise.resolve(isSure) }, id);

  it('removes what was installed, after a question', async () => {
    await install(await write(plugin('1.0.0')));
    expect(await uninstall('words', false)).toBe(false);
    expect(await findInstalled(fs, home, 'words')).toBeDefined();
    expect(await uninstall('words')).toBe(true);
    expect(await findInstalled(fs, home, 'words')).toBeUndefined();
    expect(await readdir(join(home, 'installs'))).toEqual([]);
    expect(await inHome()).toEqual(['plugins']);
  });

  it('removes nothing that was put there by hand', async () => {
    await write(plugin('1.0.0'), 'home/plugins/words');
    await expect(uninstall('words')).rejects.toMatchObject({ code: 'plugin_not_installed' });
    expect(await installed('index.js')).toContain('1.0.0');
  });

  it('does not follow a link that lies in its place', async () => {
    await install(await write(plugin('1.0.0')));
    await rename(join(home, 'plugins', 'words'), join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(home, 'plugins', 'words'));
    await expect(uninstall('words')).rejects.toMatchObject({ code: 'plugin_not_installed' });
  });

  it.each(['../..', '..', 'nothing'])('finds nothing for %j', async (id) => {
    await expect(uninstall(id)).rejects.toMatchObject({ code: 'plugin_not_installed' });
  });

  it('says how to be rid of one that comes with the program', async () => {
    const others = [{ id: 'guard', origin: 'bundled' } as PluginRecord];
    await expect(uninstall('guard', true, others)).rejects.toMatchObject({
      hint: 'It comes with pincer; switch it off: pincer plugins disable guard',
    });
  });
});
