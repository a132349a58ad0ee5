import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pluginFolderName } from '../../plugins/pluginFolderName.ts';
import { buildArchive } from '../../../test/builders/testArchive.ts';
import { createProgram } from '../createProgram.ts';

let root: string;
let out: string;
let err: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-cli-plugins-'));
  await mkdir(join(root, 'workspace'));
  vi.stubEnv('PINCER_HOME', join(root, 'home'));
  vi.stubEnv('TMPDIR', join(root, 'tmp'));
  await mkdir(join(root, 'tmp'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

async function run(...args: readonly string[]): Promise<number> {
  out = '';
  err = '';
  const program = createProgram({ out: (text) => void (out += text), err: (text) => void (err += text) });
  const where = ['--workspace', join(root, 'workspace'), '--state-dir', join(root, 'state')];
  return await program.run(['plugins', ...args, ...where]);
}

describe('what plugins log', () => {
  it('reaches the terminal where it is a warning, and stays in the log where it is less', async () => {
    const code = `import { createSubsystemLogger } from 'openclaw/plugin-sdk/runtime-env';
      export default (api) => { api.logger.info('quiet'); api.logger.warn('mind this'); createSubsystemLogger('net').warn('slow'); };`;
    await writePlugin('home/plugins/words', '1.0.0', code);
    await run('list');
    expect(err).toContain('warn: [words] mind this\n');
    expect(err).toContain('warn: [words] net: slow\n');
    expect(err).not.toContain('quiet');
  });
});

async function json(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  await run(...args, '--json');
  return JSON.parse(out) as Record<string, unknown>;
}

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const files = (version: string, code = 'export default () => {};'): Record<string, string> => ({
  'openclaw.plugin.json': JSON.stringify({ id: 'words', version, configSchema: {} }),
  'index.mjs': code,
});

async function writePlugin(folder: string, version: string, code?: string): Promise<string> {
  const own = Object.entries(files(version, code)).map(([path, text]) => [`${folder}/${path}`, text]);
  await write(Object.fromEntries(own) as Record<string, string>);
  return join(root, folder);
}

describe('pincer plugins inspect', () => {
  it('names native add-ons and programs that the code starts', async () => {
    const code = `import { spawn } from 'node:child_process'; export default () => { globalThis.never?.(() => spawn('git')); };`;
    const source = await writePlugin('words', '1.0.0', code);
    await write({ 'words/node_modules/fast/build/fast.node': 'x' });
    expect(await run('inspect', source)).toBe(0);
    expect(out).toContain('programs: git\n');
    expect(out).toContain('native add-ons, which do not load: node_modules/fast/build/fast.node\n');
  });

  it('lists all that takes effect, one line for each kind, and says once that the gateway is needed', async () => {
    const code = `export default (api) => {
      for (const name of ['a', 'b']) api.registerGatewayMethod(name, () => {});
      api.registerHttpRoute({ path: '/p', handler() {} });
      api.registerProvider({ id: 'acme', models: { models: [] } });
      api.registerSpeechProvider({ id: 'voice', synthesize() {} });
      api.registerWebSearchProvider({ id: 'find', createTool() {} });
      api.registerWebFetchProvider({ id: 'get', createTool() {} });
      api.registerEmbeddingProvider({ id: 'embed', create() {} });
      api.registerCompactionProvider({ id: 'short', summarize() {} });
      api.registerContextEngine('engine', () => ({}));
      api.registerChannel({ id: 'chat', config: {} });
    };`;
    await run('inspect', await writePlugin('words', '1.0.0', code));
    expect(out).toContain(
      [
        '  Also registers',
        '    model provider: acme',
        '    speech provider: voice',
        '    web search provider: find',
        '    web fetch provider: get',
        '    embedding provider: embed',
        '    compaction provider: short',
        '    context engine: engine',
        '    http route: /p',
        '    gateway method: a, b',
        '    channel: chat\n',
      ].join('\n'),
    );
    expect(out.match(/.*while the gateway runs/gu)).toEqual([
      '    info: words: 2 gateway methods and 1 HTTP route are served while the gateway runs',
    ]);
  });

  it('prints one JSON value of a plugin on disk, whatever the plugin prints, and leaves nothing', async () => {
    const source = await writePlugin(
      'words',
      '1.0.0',
      'process.stdout.write("noise"); export default () => {};',
    );
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const value = await json('inspect', source);
    expect(written.mock.calls).toEqual([['noise']]);
    written.mockRestore();
    expect(value).toMatchObject({
      plugins: [{ id: 'words', version: '1.0.0', status: 'loaded', tools: [] }],
      diagnostics: [],
      timings: { totalMs: expect.any(Number) as unknown },
    });
    expect(Object.keys(value)).toEqual(['plugins', 'diagnostics', 'timings']);
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });

  it('ends with 1 where a plugin does not load, and with 1 where there is none', async () => {
    expect(await run('inspect', await writePlugin('p', '1.0.0', 'throw new Error("no luck");'))).toBe(1);
    expect(out).toContain('no luck');
    await mkdir(join(root, 'empty'));
    expect(await run('inspect', join(root, 'empty'))).toBe(1);
    expect(out).toContain('There is no plugin in');
  });

  it('takes settings as text or from a file, and says what is wrong with them', async () => {
    await write({
      'p/openclaw.plugin.json':
        '{"id":"p","configSchema":{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]}}',
      'p/index.js': 'module.exports = () => {};',
      'settings.json': '{"k":"v"}',
    });
    const source = join(root, 'p');
    expect(await run('inspect', source)).toBe(1);
    expect(out).toContain(`--config '{"k":"…"}'`);
    expect(await run('inspect', source, '--config', '{"k":"v"}')).toBe(0);
    expect(await run('inspect', source, '--config', join(root, 'settings.json'))).toBe(0);
    expect(await run('inspect', source, '--config', '{')).toBe(2);
    expect(err).toContain('--config is not usable');
  });

  it('says all about a plugin of the workspace by its id', async () => {
    await writePlugin(
      'home/plugins/words',
      '1.0.0',
      "export default (api) => api.on('agent_end', () => {});",
    );
    const value = await json('inspect', 'words');
    expect(value).toMatchObject({ plugins: [{ id: 'words', origin: 'global', hooks: [], tools: [] }] });
    expect(await run('inspect', 'wrods')).toBe(2);
  });

  it('says what is lost of a registration without effect: inspecting, as doctor, and whenever it loads', async () => {
    await writePlugin(
      'home/plugins/words',
      '1.0.0',
      "export default (api) => api.registerWorkshop({ id: 'irc' });",
    );
    const lost = 'workshop irc has no effect here: nothing here uses it';
    await run('inspect', 'words');
    expect(out).toContain(lost);
    expect(err).toContain(`warn: words: ${lost}`);
    await run('doctor');
    expect(out).toContain(`warn: words: ${lost}`);
    await run('list');
    expect(err).toContain(`warn: words: ${lost}`);
  });
});

describe('pincer plugins install and uninstall', () => {
  it('shows what it asks for, needs a yes, loads it, and removes it again', async () => {
    const source = await writePlugin(
      'p',
      '1.0.0',
      "export default (api) => api.on('session_end', () => {});",
    );
    expect(await run('install', source)).toBe(2);
    expect(err).toContain('hooks: session_end');
    expect(err).toContain('--yes');
    expect(await run('install', source, '--yes')).toBe(0);
    expect(out).toBe('words 1.0.0 is installed: loaded (enabled)\n');
    expect(await run('install', source, '--yes')).toBe(0);
    expect(out).toContain('installed already');

    await write({ 'home/config.jsonc': '{"plugins":{"entries":{"words":{"config":{}}}}}' });
    expect(await run('uninstall', 'words')).toBe(2);
    expect(await run('uninstall', 'words', '--yes')).toBe(0);
    expect(out).toContain('plugins.entries.words');
    expect(await readdir(join(root, 'home', 'plugins'))).toEqual([]);
    expect(await run('uninstall', 'words', '--yes')).toBe(2);
  });

  it('installs an archive and says from which version to which', async () => {
    const pack = (version: string) =>
      buildArchive(Object.entries(files(version)).map(([name, text]) => ({ name: `package/${name}`, text })));
    const archive = join(root, 'words.tgz');
    await writeFile(archive, pack('2.0.0'));
    await run('install', archive, '--yes');
    await writeFile(archive, pack('1.0.0'));
    expect(await json('install', archive, '--yes')).toMatchObject({
      outcome: {
        kind: 'installed',
        proposal: { version: '1.0.0', change: { kind: 'downgrade', from: '2.0.0' } },
      },
      plugin: { id: 'words', version: '1.0.0', status: 'loaded' },
    });
  });

  it('keeps the version before where the new one does not load', async () => {
    await run('install', await writePlugin('p', '1.0.0'), '--yes');
    const broken = await writePlugin('q', '2.0.0', 'throw new Error("no luck");');
    expect(await run('install', broken, '--yes')).toBe(1);
    expect(out).toContain('no luck');
    expect(await json('inspect', 'words')).toMatchObject({
      plugins: [{ version: '1.0.0', status: 'loaded' }],
    });
  });

  it('lets a plugin block an install', async () => {
    await write({
      'home/plugins/gate/openclaw.plugin.json': '{"id":"gate","configSchema":{}}',
      'home/plugins/gate/index.mjs': `export default (api) => api.on('before_install', (event) =>
        ({ block: event.builtinScan.fileCount === 2, blockReason: 'no ' + event.targetName + ' here' }));`,
    });
    expect(await run('install', await writePlugin('p', '1.0.0'), '--yes')).toBe(3);
    expect(out).toBe('Plugin gate does not let words be installed: no words here\n');
    expect(await readdir(join(root, 'home', 'plugins'))).toEqual(['gate']);
  });
});

describe('pincer plugins new', () => {
  it('makes a plugin of the workspace that can be looked at and enabled', async () => {
    expect(await run('new', 'my-guard', '--kind', 'guard', '--name', 'My guard')).toBe(0);
    const folder = join(root, 'workspace', '.pincer', 'plugins', 'my-guard');
    expect(await json('inspect', folder)).toMatchObject({
      plugins: [{ id: 'my-guard', name: 'My guard', hookNames: ['before_tool_call'], status: 'loaded' }],
    });
    expect(await run('enable', 'my-guard')).toBe(0);
    expect(await run('new', 'my-guard')).toBe(2);
    expect(err).toContain('already exists');
    expect(await run('new', 'read')).toBe(2);
    expect(err).toContain('taken');
    expect(await run('new', 'x', '--kind', 'else')).toBe(2);
  });
});

describe('pincer plugins enable', () => {
  it('carries out the remedies that the doctor names', async () => {
    await writePlugin(
      'home/plugins/words',
      '1.0.0',
      "export default (api) => api.on('llm_input', () => {});",
    );
    const before = await json('doctor');
    expect(JSON.stringify(before)).toContain('pincer plugins enable words --allow-conversation');
    expect(await run('enable', 'words', '--allow-conversation')).toBe(0);
    expect(await json('inspect', 'words')).toMatchObject({ plugins: [{ hookNames: ['llm_input'] }] });
  });
});

describe('pincer plugins enable, where two have one id', () => {
  it('shows the one that it enables', async () => {
    await writePlugin('home/plugins/words', '1.0.0');
    await writePlugin('workspace/.pincer/plugins/words', '2.0.0');
    await run('enable', 'words');
    expect(err).toContain('words comes with this workspace');
  });
});

describe('what comes from a repository', () => {
  const escapes = '\u001B]52;c;ZXZpbA==\u0007\u009B2J\u202E';

  it.skipIf(process.platform === 'win32')('reaches the terminal as text, and JSON unchanged', async () => {
    const folder = `${escapes}x\n  tools: none found`;
    await write({ [`workspace/.pincer/plugins/${folder}/index.cjs`]: '' });
    for (const command of [['list'], ['doctor'], ['inspect', folder], ['enable', folder]]) {
      await run(...command);
      expect(out + err).toContain(']52;c;');
      expect(out + err).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]/u);
      expect(`${out}${err}`).not.toContain('x\n  tools: none found');
    }
    expect(JSON.stringify(await json('list'))).toContain(JSON.stringify(escapes).slice(1, -1));
    expect(out).not.toMatch(/[\u007F-\u009F\u202E]/u);
  });

  it('is shown clean also by a command that writes to a terminal of its own', async () => {
    const { runPluginsList } = await import('./pluginsProgram.ts');
    await write({ [`workspace/.pincer/plugins/a\u009B2Jb/index.cjs`]: '' });
    let shown = '';
    const write_ = (text: string): void => void (shown += text);
    await runPluginsList(
      { workspace: join(root, 'workspace'), stateDir: join(root, 'state') },
      { out: write_, err: write_ },
    );
    expect(shown).toContain('a2Jb');
    expect(shown).not.toContain('\u009B');
  });
});

describe('pincer plugins doctor', () => {
  it('ends with 0 where nothing is wrong, and with 1 where an error remains', async () => {
    expect(await run('doctor')).toBe(0);
    expect(out).toBe('No problems found.\n');
    await writePlugin('home/plugins/words', '1.0.0', 'throw new Error("no luck");');
    expect(await run('doctor')).toBe(1);
    expect(out).toContain('words\n  error: ');
    expect(out).toContain('no luck');
    expect(err).toBe('');
  });

  it('removes with --fix what nothing uses, and nothing else', async () => {
    await write({
      'home/.install-1/x': '',
      'home/config.jsonc': '{"plugins":{"deny":["gone"]}}',
      'home/consents.json': JSON.stringify({
        version: 1,
        consents: [{ id: 'lost', hash: 'h', rootDir: join(root, 'nowhere'), files: {}, grantedAt: 0 }],
      }),
    });
    expect(await json('doctor')).toMatchObject({ errors: 0, warnings: 1, fixed: [] });
    const { fixed, groups } = await json('doctor', '--fix');
    expect(fixed).toEqual([
      `forgot the consent for lost of ${join(root, 'nowhere')}`,
      `removed ${join(root, 'home', '.install-1')}`,
    ]);
    expect(groups).toMatchObject([{ problems: [{ code: 'config_plugin_unknown' }] }]);
    expect((await readdir(join(root, 'home'))).sort()).toContain('config.jsonc');
    expect(await json('doctor', '--fix')).toMatchObject({ fixed: [] });
  });

  it('keeps what was agreed to of a plugin that is missing only because its agent file is broken', async () => {
    const rootDir = join(root, 'workspace');
    const agreed = join('state', 'plugin-snapshots', pluginFolderName('dexto:guard'));
    await write({
      'workspace/.pincer/agent.yml': 'plugins: [',
      'home/consents.json': JSON.stringify({
        version: 1,
        consents: [{ id: 'dexto:guard', hash: 'h', rootDir, files: {}, grantedAt: 0 }],
      }),
      [`${agreed}/h/guard.js`]: '',
      [`state/plugin-snapshots/${pluginFolderName('gone')}/h/x.js`]: '',
    });
    expect((await json('doctor', '--fix'))['fixed']).toEqual([
      'tried to load dexto:agent again',
      `removed ${join(root, 'state', 'plugin-snapshots', pluginFolderName('gone'))}`,
    ]);
    expect(await readdir(join(root, agreed))).toEqual(['h']);
  });

  it('keeps the consent of a guard that is gone, and names what to do', async () => {
    const rootDir = join(root, 'workspace/.pincer/plugins/warden');
    const stored = {
      version: 1,
      consents: [{ id: 'warden', hash: 'h', rootDir, files: {}, grantedAt: 0 }],
      seen: [{ id: 'warden', rootDir, workspaceDir: await realpath(join(root, 'workspace')), guards: true }],
    };
    await write({ 'home/consents.json': JSON.stringify(stored) });
    const { groups, fixed } = await json('doctor', '--fix');
    expect(fixed).toEqual([]);
    expect(groups).toMatchObject([
      { problems: [{ code: 'guard_gone', commands: ['pincer plugins forget warden'] }] },
    ]);
    expect(await run('forget', 'other')).toBe(1);
    expect(err).toContain('No plugin other is missing in this workspace.');
    expect(await run('forget', 'warden')).toBe(0);
    expect(out).toBe('warden is forgotten\n');
    expect(await json('doctor')).toMatchObject({ errors: 0, groups: [] });
  });

  it('names a damaged file of consents, which one command puts aside', async () => {
    expect(await run('reset-consents')).toBe(1);
    expect(err).toContain('nothing was changed');
    await write({ 'home/consents.json': '{' });
    const { groups } = await json('doctor', '--fix');
    expect(groups).toMatchObject([
      { problems: [{ code: 'consents_unreadable', commands: ['pincer plugins reset-consents'] }] },
    ]);
    expect(await run('reset-consents')).toBe(0);
    expect(await json('doctor')).toMatchObject({ errors: 0 });
    expect(await readdir(join(root, 'home'))).toContain('consents.json.damaged');
  });
});
