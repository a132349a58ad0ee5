// A guard that ran once is missed: two windows in one folder, and what happens between them.
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DiagnosticFix } from '../../../src/contracts/diagnostic.ts';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../builders/openTestRuntime.ts';
import { until } from '../../builders/until.ts';

const guard = (reason = 'not here') =>
  `module.exports = (api) => { api.on('before_tool_call', () => ({ block: true, blockReason: '${reason}' })); };`;
const tool =
  "module.exports = (api) => { api.registerTool({ name: 'tide', description: 'Says the tide.', parameters: { type: 'object', properties: {} }, execute: async () => ({ content: [{ type: 'text', text: 'high' }] }) }); };";
const agentFile = (line: string) => `plugins:\n  custom:\n    - name: warden\n${line}`;
const warden = `export default class Warden { beforeToolCall() { return { ok: false, severity: 'error', message: 'not here', cancel: true }; } }`;
const wardenEntry =
  '      module: "${{dexto.agent_dir}}/warden.js"\n      blocking: true\n      priority: 1\n';

const files = { 'notes.md': 'The tide is high.' };
const readsNotes = [{ toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] }, { text: 'Done' }];

let root: string;
const inWorkspace = (path: string) => join(root, 'workspace', path);
const inHome = (path: string) => join(root, 'home', path);

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-guards-')));
});
afterEach(() => rm(root, { recursive: true }));

/** The window in which the user allows it, and sees it block a call. */
async function firstWindow(options: TestRuntimeOptions = { plugins: { warden: guard() } }): Promise<void> {
  await using test = await openTestRuntime({ files, ...options, root });
  expect(await blocked(test)).toBe(true);
}

/** A later one: whatever the files say by now, nobody has agreed to it. */
function nextWindow(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  return openTestRuntime({ ...options, root, consent: false });
}

/** Whether the model was kept from reading the note. */
async function blocked(test: TestRuntime): Promise<boolean> {
  const { events } = await test.say('What of the tide?', readsNotes);
  const results = events.filter(({ type }) => type === 'tool_ended');
  expect(results).toHaveLength(1);
  return JSON.stringify(results).includes('not here');
}

const stopped = (test: TestRuntime) =>
  expect(test.say('What of the tide?', readsNotes)).rejects.toMatchObject({ code: 'agent_stopped' });

async function remedy(test: TestRuntime, kind: DiagnosticFix['kind']): Promise<void> {
  const fix = test.runtime.workspace.problem()?.fixes?.find((each) => each.kind === kind);
  if (fix === undefined) throw new Error(`no ${kind}: ${JSON.stringify(test.runtime.workspace.problem())}`);
  await test.runtime.workspace.applyFix(fix);
}

describe('a workspace guard', () => {
  it('is not missed while its window closes', async () => {
    const test = await openTestRuntime({ files, plugins: { warden: guard() }, root });
    expect(await blocked(test)).toBe(true);
    await test.runtime.stop('shutdown');
    expect(test.runtime.plugins.plugins()).toEqual([]);
    expect(test.runtime.workspace.diagnostics().map(({ code }) => code)).not.toContain('guard_gone');
  });

  const ways: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    [
      'whose code has changed',
      'guard_changed',
      () => writeFile(inWorkspace(`.pincer/plugins/warden/index.js`), tool),
    ],
    [
      'that got one more file',
      'guard_changed',
      () => writeFile(inWorkspace(`.pincer/plugins/warden/more.js`), ''),
    ],
    [
      'whose manifest is broken',
      'guard_failed',
      () => writeFile(inWorkspace('.pincer/plugins/warden/openclaw.plugin.json'), '{'),
    ],
    [
      'whose manifest has another id',
      'guard_gone',
      () =>
        writeFile(
          inWorkspace('.pincer/plugins/warden/openclaw.plugin.json'),
          '{"id":"other","configSchema":{"type":"object"}}',
        ),
    ],
    ['that is gone', 'guard_gone', () => rm(inWorkspace('.pincer/plugins/warden'), { recursive: true })],
    [
      'that the workspace switches off',
      'guard_switched_off',
      () =>
        writeFile(
          inWorkspace('.pincer/config.jsonc'),
          '{"plugins":{"entries":{"warden":{"enabled":false}}}}',
        ),
    ],
    [
      'that the workspace does not name among the allowed',
      'guard_switched_off',
      () => writeFile(inWorkspace('.pincer/config.jsonc'), '{"plugins":{"allow":["other"]}}'),
    ],
    ['whose consent is deleted', 'guard_consent_lost', () => deleteConsentsOnly()],
    ['whose consents are deleted as a file', 'consents_unreadable', () => rm(inHome('consents.json'))],
    ['whose consents are emptied', 'consents_unreadable', () => writeFile(inHome('consents.json'), '')],
    [
      'whose consents are damaged',
      'consents_unreadable',
      () => writeFile(inHome('consents.json'), '{"version":1,'),
    ],
    [
      'whose consents are of another form',
      'consents_unreadable',
      () => writeFile(inHome('consents.json'), '[]'),
    ],
  ];
  const deleteConsentsOnly = async (): Promise<void> => {
    const stored = JSON.parse(await readFile(inHome('consents.json'), 'utf8')) as object;
    await writeFile(inHome('consents.json'), JSON.stringify({ ...stored, consents: [] }));
  };

  it.each(ways)('%s stops every turn of the next window', async (_, code, change) => {
    await firstWindow();
    await change();
    await using test = await nextWindow();
    await stopped(test);
    expect(test.runtime.workspace.problem()).toMatchObject({ code });
    expect(test.runtime.workspace.diagnostics()).toContainEqual(expect.objectContaining({ code }));
    // Nor can a summary be written past it.
    await expect(
      test.runtime.conversations.compact(test.session, new AbortController().signal, 'all'),
    ).rejects.toMatchObject({ code: 'agent_stopped' });
  });

  it('whose hook was not shown guards once that is agreed to, and stops every turn where that word is gone', async () => {
    const computed = guard().replace("'before_tool_call'", "['before', 'tool', 'call'].join('_')");
    await using first = await openTestRuntime({ files, plugins: { warden: computed }, root });
    expect(await blocked(first)).toBe(false);
    const [more] = first.runtime.workspace
      .diagnostics()
      .filter(({ code }) => code === 'plugin_registers_more');
    await first.runtime.workspace.applyFix(more?.fixes?.[0] ?? { kind: 'reset-consents' });
    expect(await blocked(first)).toBe(true);
    const consents = await readFile(inHome('consents.json'), 'utf8');
    await writeFile(inHome('consents.json'), consents.replace('"hook before_tool_call"', ''));
    await using next = await nextWindow();
    await stopped(next);
    expect(next.runtime.workspace.problem()).toMatchObject({ code: 'guard_held_back' });
    await remedy(next, 'allow-registrations');
    expect(await blocked(next)).toBe(true);
  });

  it('goes on where another plugin of the workspace takes its id', async () => {
    await firstWindow();
    await cp(inWorkspace('.pincer/plugins/warden'), inWorkspace('.pincer/plugins/aaa'), { recursive: true });
    await writeFile(inWorkspace('.pincer/plugins/aaa/index.js'), tool);
    await using test = await nextWindow();
    expect(await blocked(test)).toBe(true);
  });

  it('of a package with several plugins is missed where their manifest is broken', async () => {
    const pack = inWorkspace('.pincer/plugins/pack');
    await mkdir(pack, { recursive: true });
    const openclaw = { extensions: ['./atide.js', './warden.js'] };
    await writeFile(join(pack, 'package.json'), JSON.stringify({ name: 'pack', openclaw }));
    await writeFile(join(pack, 'openclaw.plugin.json'), '{"id":"real","configSchema":{"type":"object"}}');
    await writeFile(join(pack, 'atide.js'), tool);
    await writeFile(join(pack, 'warden.js'), guard());
    await firstWindow({});
    await writeFile(join(pack, 'openclaw.plugin.json'), '{');
    await using test = await nextWindow();
    await stopped(test);
  });

  it.each([
    ['a folder around its workspace', '.'],
    ['its workspace by a link', 'link'],
  ])('is not missed in a window on %s', async (_, folder) => {
    await firstWindow();
    await symlink(inWorkspace('.'), join(root, 'link'));
    await using test = await nextWindow({ folder: join(root, folder) });
    expect(test.runtime.workspace.problem()).toBeUndefined();
  });

  it('loses what it may see by the config of the workspace, and stops every turn', async () => {
    const sees = `module.exports = (api) => { api.on('before_agent_run', ({ prompt }) => prompt.includes('secret') ? { outcome: 'block', reason: 'not here' } : undefined); };`;
    const config = { plugins: { entries: { warden: { hooks: { allowConversationAccess: true } } } } };
    await using first = await openTestRuntime({ files, plugins: { warden: sees }, config, root });
    expect((await first.say('a secret', [{ text: 'Done' }])).outcome.status).toBe('blocked');
    await first.runtime.stop('restart');
    const said = { plugins: { entries: { warden: { hooks: { allowConversationAccess: false } } } } };
    await writeFile(inWorkspace('.pincer/config.jsonc'), JSON.stringify(said));
    await using test = await nextWindow();
    await stopped(test);
    expect(test.runtime.workspace.problem()).toMatchObject({ code: 'guard_weakened' });
    await remedy(test, 'forget-plugin');
    expect(await blocked(test)).toBe(false);
  });

  it('that was changed runs again once that is agreed to', async () => {
    await firstWindow();
    await writeFile(inWorkspace('.pincer/plugins/warden/index.js'), guard('not here either'));
    await using test = await nextWindow();
    await stopped(test);
    expect(await test.runtime.plugins.changesOf('warden')).toEqual([
      {
        path: 'index.js',
        before: expect.stringContaining('plugin-snapshots') as unknown,
        after: inWorkspace('.pincer/plugins/warden/index.js'),
      },
    ]);
    await remedy(test, 'enable-plugin');
    expect(
      (await test.say('What of the tide?', readsNotes)).events.map((each) => JSON.stringify(each)).join(),
    ).toContain('not here either');
  });

  it.each(['code', 'gone', 'config'])('holds up nobody who goes on without it (%s)', async (way) => {
    await firstWindow();
    if (way === 'code') await writeFile(inWorkspace('.pincer/plugins/warden/index.js'), tool);
    if (way === 'gone') await rm(inWorkspace('.pincer/plugins/warden'), { recursive: true });
    if (way === 'config')
      await writeFile(
        inWorkspace('.pincer/config.jsonc'),
        '{"plugins":{"entries":{"warden":{"enabled":false}}}}',
      );
    await using test = await nextWindow();
    await stopped(test);
    await remedy(test, way === 'gone' ? 'forget-plugin' : 'disable-plugin');
    expect(await blocked(test)).toBe(false);
  });

  it('goes on with the version that was agreed to where it is changed while it runs', async () => {
    await using test = await openTestRuntime({ files, plugins: { warden: guard() }, root });
    await writeFile(inWorkspace('.pincer/plugins/warden/index.js'), tool);
    expect(await blocked(test)).toBe(true);
  });

  it.each([
    ['damaged', () => writeFile(inHome('consents.json'), '{')],
    ['deleted', () => rm(inHome('consents.json'))],
  ])('is asked about anew where its consents were %s and reset', async (_, change) => {
    await firstWindow();
    await change();
    await using test = await nextWindow();
    await stopped(test);
    await remedy(test, 'reset-consents');
    await stopped(test);
    expect(test.runtime.workspace.problem()).toMatchObject({ code: 'guard_consent_lost' });
    expect(test.runtime.workspace.diagnostics().filter(({ code }) => code === 'consents_unreadable')).toEqual(
      [],
    );
    await remedy(test, 'enable-plugin');
    expect(await blocked(test)).toBe(true);
  });

  it('is not missed where both files that know of it are deleted', async () => {
    await firstWindow();
    await rm(inHome('consents.json'));
    await rm(inHome('guards.json'));
    await using test = await nextWindow();
    expect(await blocked(test)).toBe(false);
  });

  it('that never ran stops nothing, nor does a changed plugin that could stop nothing', async () => {
    await using first = await openTestRuntime({ files, plugins: { tide: tool }, root });
    expect(await blocked(first)).toBe(false);
    await first.runtime.stop('restart');
    await writeFile(inWorkspace('.pincer/plugins/tide/index.js'), `${tool}// more`);
    await using test = await nextWindow({ plugins: { warden: guard() } });
    expect(await blocked(test)).toBe(false);
  });

  it('stops nothing in a window that is not trusted', async () => {
    await firstWindow();
    await writeFile(inWorkspace('.pincer/plugins/warden/index.js'), tool);
    await using test = await nextWindow({ isTrusted: false });
    expect(test.runtime.workspace.problem()).toBeUndefined();
  });
});

describe("a guard of the user's own", () => {
  const schema = { type: 'object', properties: { level: { type: 'number' } }, additionalProperties: false };
  const withSchema = () =>
    writeFile(
      inHome('plugins/warden/openclaw.plugin.json'),
      JSON.stringify({ id: 'warden', configSchema: schema }),
    );
  const settings = (config: object) => writeFile(inHome('config.jsonc'), JSON.stringify(config));

  it.each([
    [
      'throws while it loads',
      () => writeFile(inHome('plugins/warden/index.js'), "throw new Error('half written');"),
    ],
    ['has a broken manifest', () => writeFile(inHome('plugins/warden/openclaw.plugin.json'), '')],
    [
      'has invalid settings',
      async () => {
        await withSchema();
        await settings({ plugins: { entries: { warden: { config: { level: 'high' } } } } });
      },
    ],
  ])('stops every turn where it %s, until it is mended or disabled', async (_, change) => {
    await firstWindow({ global: { warden: guard() } });
    await change();
    await using test = await nextWindow();
    await stopped(test);
    expect(test.runtime.workspace.problem()).toMatchObject({ code: 'guard_failed', pluginId: 'warden' });
    await remedy(test, 'disable-plugin');
    expect(await blocked(test)).toBe(false);
  });

  it('stops every turn where its settings have been invalid from the start', async () => {
    await using first = await openTestRuntime({ files, global: { warden: guard() }, root });
    await first.runtime.stop('restart');
    await rm(inHome('consents.json'), { force: true });
    await withSchema();
    await settings({ plugins: { entries: { warden: { config: { level: 'high' } } } } });
    await using test = await nextWindow();
    await stopped(test);
    expect(test.runtime.workspace.problem()?.fixes?.map(({ kind }) => kind)).toEqual([
      'configure-plugin',
      'disable-plugin',
    ]);
    await test.runtime.plugins.setConfig('warden', { level: 3 });
    expect(await blocked(test)).toBe(true);
  });

  it('holds turns up while it is loading', async () => {
    await using test = await openTestRuntime({ files, root, speed: 20 });
    const slow = `module.exports = async (api) => { await new Promise((resolve) => { globalThis.goOn = resolve; }); (${guard().slice('module.exports = '.length, -1)})(api); };`;
    await mkdir(inHome('plugins/warden'), { recursive: true });
    await writeFile(
      inHome('plugins/warden/openclaw.plugin.json'),
      '{"id":"warden","configSchema":{"type":"object"}}',
    );
    await writeFile(inHome('plugins/warden/index.js'), slow);
    const loaded = test.runtime.workspace.reloadConfig();
    await until(() =>
      expect(test.runtime.workspace.problem()).toMatchObject({ code: 'guard_loading', level: 'info' }),
    );
    await stopped(test);
    (Reflect.get(globalThis, 'goOn') as () => void)();
    Reflect.deleteProperty(globalThis, 'goOn');
    await loaded;
    expect(await blocked(test)).toBe(true);
  });

  it('is not taken out of the list by an agent file of the workspace that names its file', async () => {
    await firstWindow({ global: { warden: guard() } });
    const entry = `      module: "${inHome('plugins/warden/index.js')}"\n      blocking: false\n      priority: 1\n`;
    await mkdir(inWorkspace('.pincer'), { recursive: true });
    await writeFile(inWorkspace('.pincer/agent.yml'), agentFile(entry));
    await using test = await nextWindow();
    expect(await blocked(test)).toBe(true);
  });

  it('may be taken out of the home folder', async () => {
    await firstWindow({ global: { warden: guard() } });
    await rm(inHome('plugins/warden'), { recursive: true });
    await using test = await nextWindow();
    expect(await blocked(test)).toBe(false);
  });
});

it('a bundled guard with invalid settings stops every turn, another bundled plugin does not', async () => {
  const entries = (id: string) => ({
    plugins: { entries: { [id]: { enabled: true, config: { wrong: 1 } } } },
  });
  await using other = await openTestRuntime({ files, config: entries('memory-core'), root });
  expect(await blocked(other)).toBe(false);
  await other.runtime.stop('restart');
  await using test = await openTestRuntime({ files, config: entries('workspace-guard'), root });
  await stopped(test);
  expect(test.runtime.workspace.problem()).toMatchObject({
    code: 'guard_failed',
    pluginId: 'workspace-guard',
  });
});

describe('a blocking Dexto plugin', () => {
  const dexto = {
    files: { ...files, '.pincer/agent.yml': agentFile(wardenEntry), '.pincer/warden.js': warden },
  };

  it.each([
    [
      'is not in the agent file any more',
      'guard_gone',
      () => writeFile(inWorkspace('.pincer/agent.yml'), 'plugins: {}\n'),
    ],
    ['has lost its agent file', 'guard_gone', () => rm(inWorkspace('.pincer/agent.yml'))],
    [
      'is disabled there',
      'guard_switched_off',
      () => writeFile(inWorkspace('.pincer/agent.yml'), agentFile(`${wardenEntry}      enabled: false\n`)),
    ],
    [
      "is switched off with the agent file by the workspace's config",
      'guard_gone',
      () => writeFile(inWorkspace('.pincer/config.jsonc'), '{"dexto":{"enabled":false}}'),
    ],
    [
      'is not blocking any more',
      'guard_weakened',
      () => writeFile(inWorkspace('.pincer/agent.yml'), agentFile(wardenEntry.replace('true', 'false'))),
    ],
    [
      'has changed',
      'dexto_guard_changed',
      () => writeFile(inWorkspace('.pincer/warden.js'), `${warden}// more`),
    ],
  ])('that %s stops every turn of the next window', async (_, code, change) => {
    await firstWindow(dexto);
    await change();
    await using test = await nextWindow();
    await stopped(test);
    expect(test.runtime.workspace.problem()).toMatchObject({ code });
  });

  it('is not asked at a point that was not shown, until that is agreed to', async () => {
    const computed = `export default class Warden { beforeResponse() { return { ok: true }; } ${warden.slice(warden.indexOf('{') + 1).replace('beforeToolCall', "['before' + 'ToolCall']")}`;
    const hidden = { files: { ...dexto.files, '.pincer/warden.js': computed } };
    await using test = await openTestRuntime({ ...hidden, root });
    expect(await blocked(test)).toBe(false);
    const point = 'point beforeToolCall';
    expect(test.runtime.plugins.plugins().find(({ id }) => id === 'dexto:warden')).toMatchObject({
      asks: { points: ['beforeResponse'] },
      heldBack: [point],
    });
    await test.runtime.workspace.applyFix({
      kind: 'allow-registrations',
      pluginId: 'dexto:warden',
      names: [point],
    });
    expect(await blocked(test)).toBe(true);
  });

  it('may be switched off with all agent files by the user', async () => {
    await firstWindow(dexto);
    await writeFile(inHome('config.jsonc'), '{"dexto":{"enabled":false}}');
    await using test = await nextWindow();
    expect(await blocked(test)).toBe(false);
  });
});

describe('plugins.required', () => {
  const requires = (id: unknown) => ({ plugins: { required: id } });

  it('lets turns begin while all of them run', async () => {
    await using test = await openTestRuntime({
      files,
      plugins: { tide: tool },
      config: requires(['tide']),
      root,
    });
    expect(await blocked(test)).toBe(false);
  });

  it.each([
    ['is not there', {}, 'there is no plugin with that id'],
    [
      'was never enabled',
      { plugins: { tide: tool }, consent: false },
      'workspace plugin (disabled by default)',
    ],
    ['fails', { global: { tide: "throw new Error('half written');" } }, 'half written'],
    [
      'belongs to a workspace that is not trusted',
      { global: { tide: tool }, isTrusted: false },
      'not trusted',
    ],
  ] as const)('stops every turn while one %s, with a way to the config', async (_, options, why) => {
    await using test = await openTestRuntime({ files, ...options, config: requires(['tide']), root });
    await stopped(test);
    const problem = test.runtime.workspace.problem();
    expect(problem?.code).toBe('plugin_required_missing');
    expect(problem?.message).toContain(why);
    expect(problem?.fixes).toContainEqual({ kind: 'open-file', path: inHome('config.jsonc') });
    await writeFile(inHome('config.jsonc'), '{}');
    expect(await blocked(test)).toBe(false);
  });

  it('stops every turn where it can not be understood, and counts in no config of a workspace', async () => {
    await using wrong = await openTestRuntime({
      files: { ...files, '.pincer/config.jsonc': '{}' },
      config: requires('tide'),
      root,
    });
    await stopped(wrong);
    await wrong.runtime.stop('restart');
    await writeFile(inHome('config.jsonc'), '{}');
    await writeFile(inWorkspace('.pincer/config.jsonc'), JSON.stringify(requires(['tide'])));
    await using test = await nextWindow();
    expect(await blocked(test)).toBe(false);
  });
});

describe('a config of which nobody knows what it forbids', () => {
  it.each([
    ['home', ''],
    ['home', ' \n'],
    ['home', '{ "tools": '],
    ['home', '[]'],
    ['workspace', ''],
    ['workspace', '{ "tools": '],
  ])('stops every turn: the one of the %s with the text %j', async (place, text) => {
    const path = place === 'home' ? inHome('config.jsonc') : inWorkspace('.pincer/config.jsonc');
    await using before = await openTestRuntime({
      files: { ...files, '.pincer/config.jsonc': '{}' },
      config: {},
      root,
    });
    await before.runtime.stop('restart');
    await writeFile(path, text);
    await using test = await nextWindow();
    await stopped(test);
    expect(test.runtime.workspace.problem()).toMatchObject({
      source: path,
      fixes: [{ kind: 'open-file', path }],
    });
    await writeFile(path, '{}');
    expect(await blocked(test)).toBe(false);
  });

  it('goes on with what it said before while it is being written', async () => {
    await using test = await openTestRuntime({ files, config: { tools: { deny: ['exec'] } }, root });
    await writeFile(inHome('config.jsonc'), '{ "tools": ');
    expect(await blocked(test)).toBe(false);
  });
});
