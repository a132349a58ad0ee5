// No watcher runs here: what a turn depends on is looked at when it begins, whoever changed it.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Model, ModelRequest } from '../../../src/contracts/model.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import type { FileSystem, Host } from '../../../src/host/ports.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import { createConsentStore } from '../../../src/plugins/consent/consentStore.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openTestRuntime, type TestRuntime, type TestTurn } from '../../builders/openTestRuntime.ts';
import { createGate } from '../../builders/scriptedModelAnswer.ts';
import { startScriptedModelServer, textAnswer } from '../../builders/scriptedModelServer.ts';
import { writeRecord } from '../plugins/installRecord.ts';
import { addModel, calls, textIn } from '../agents/agentWorld.ts';
import { openChannelWorld } from '../channels/channelWorld.ts';
import { until } from '../../builders/until.ts';

const answer = [{ text: 'Hi' }];
const boat: Parameters<Runtime['models']['add']>[0] = {
  api: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:1/v1',
  models: [{ id: 'a' }],
};
const done = { type: 'done', stopReason: 'stop' } as const;

/** A plugin that writes its version below each answer, and marks that it was loaded. */
const claw = (version: string) =>
  `module.exports = (api) => { mark('claw ${version}'); api.on('message_sending', ({ content }) => ({ content: content + ' claw ${version}' })); };`;
const dexto = (version: string) =>
  `globalThis.mark('dexto ${version}');
export default class Tag {
  beforeResponse({ content }) { return { ok: true, modify: { content: content + ' dexto ${version}' } }; }
}`;
const agentFile = (...names: readonly string[]) =>
  `plugins:\n  custom:\n${names.map((name, at) => `    - name: ${name}\n      module: "\${{dexto.agent_dir}}/${name}.js"\n      priority: ${at}\n`).join('')}`;
const ofWorkspace = {
  files: { '.pincer/agent.yml': agentFile('tag'), '.pincer/tag.js': dexto('1') },
  plugins: { claw: claw('1') },
};
const clawFile = '.pincer/plugins/claw/index.js';
const dextoFile = '.pincer/tag.js';

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function shown(test: TestRuntime): Promise<string> {
  return (await test.say('hi', answer)).shown;
}

/** What the model is asked in the next turn. */
async function asked(test: TestRuntime): Promise<ModelRequest> {
  const replay = createReplayModel({ script: '{"text":"Hi"}', name: 'test.jsonl', clock: systemClock });
  const requests: ModelRequest[] = [];
  const model: Model = {
    info: replay.info,
    stream(request) {
      requests.push(request);
      return replay.stream(request);
    },
  };
  await test.say('hi', [], { model });
  return requests[0]!;
}

describe('a plugin that needs no consent', () => {
  it('answers as it is on disk when the turn begins, and is gone when its folder is', async () => {
    await using test = await openTestRuntime({ global: { claw: claw('1') } });
    const { home } = test.runtime.workspace;
    expect(await shown(test)).toBe('Hi claw 1');
    await write(home, { 'plugins/claw/index.js': claw('2') });
    expect(await shown(test)).toBe('Hi claw 2');
    await write(home, {
      'plugins/other/index.js': claw('3'),
      'plugins/other/openclaw.plugin.json': '{"id":"other","configSchema":{"type":"object"}}',
    });
    expect(await shown(test)).toBe('Hi claw 2 claw 3');
    await rm(join(home, 'plugins/claw'), { recursive: true });
    expect(await shown(test)).toBe('Hi claw 3');
  });

  it('is noticed by its place, too, where time and size of a file stay the same', async () => {
    await using test = await openTestRuntime({ global: { claw: claw('1') } });
    const file = join(test.runtime.workspace.home, 'plugins/claw/index.js');
    const then = new Date(1_700_000_000_000);
    await utimes(file, then, then);
    expect(await shown(test)).toBe('Hi claw 1');
    await writeFile(file, claw('2'));
    await utimes(file, then, then);
    expect(await shown(test)).toBe('Hi claw 2');
  });

  it('runs on in its last version where the new one fails, which is named and not tried again', async () => {
    await using test = await openTestRuntime({ global: { claw: claw('1') } });
    const file = join(test.runtime.workspace.home, 'plugins/claw/index.js');
    await writeFile(file, "mark('broken'); throw new Error('half written');");
    expect(await shown(test)).toBe('Hi claw 1');
    expect(test.runtime.workspace.diagnostics().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('half written'),
    );
    expect(await shown(test)).toBe('Hi claw 1');
    expect(test.marks).toEqual(['claw 1', 'broken']);
    await writeFile(file, claw('2'));
    expect(await shown(test)).toBe('Hi claw 2');
  });
});

describe('an agent file of the user', () => {
  const open = async (files: Readonly<Record<string, string>>): Promise<TestRuntime> => {
    const test = await openTestRuntime();
    await write(test.runtime.workspace.home, {
      ...files,
      'config.jsonc': JSON.stringify({
        dexto: { agentFile: join(test.runtime.workspace.home, 'agent.yml') },
      }),
    });
    return test;
  };

  it('counts with its plugins as they are on disk when the turn begins', async () => {
    await using test = await open({ 'agent.yml': agentFile('tag'), 'tag.js': dexto('1') });
    const { home } = test.runtime.workspace;
    expect(await shown(test)).toBe('Hi dexto 1');
    await write(home, { 'tag.js': dexto('2') });
    expect(await shown(test)).toBe('Hi dexto 2');
    await write(home, { 'agent.yml': agentFile('tag', 'more'), 'more.js': dexto('3') });
    expect(await shown(test)).toBe('Hi dexto 2 dexto 3');
    await write(home, { 'agent.yml': 'systemPrompt: Speak like a pilot.\n' });
    expect((await asked(test)).systemPrompt).toContain('Speak like a pilot.');
  });

  it('leaves the generation that runs where a plugin fails, and names it', async () => {
    await using test = await open({ 'agent.yml': agentFile('tag'), 'tag.js': dexto('1') });
    expect(await shown(test)).toBe('Hi dexto 1');
    await write(test.runtime.workspace.home, { 'tag.js': "throw new Error('no tide table');" });
    expect(await shown(test)).toBe('Hi dexto 1');
    expect(test.runtime.workspace.diagnostics().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('no tide table'),
    );
  });

  it('loads what a link on the way to its module leads to now', async () => {
    const text = 'plugins:\n  custom:\n    - name: tag\n      module: "tide-tag"\n      priority: 1\n';
    const ofPackage = (version: string) => ({
      [`v${version}/package.json`]: '{"name":"tide-tag","version":"1.0.0","type":"module","main":"index.js"}',
      [`v${version}/index.js`]: dexto(version),
    });
    const point = async (home: string, link: string, version: string): Promise<void> => {
      await symlink(join(home, `v${version}`), join(home, 'new'));
      await rename(join(home, 'new'), join(home, link));
    };
    await using test = await open({
      'agent.yml': text,
      ...ofPackage('1'),
      ...ofPackage('2'),
      ...ofPackage('3'),
    });
    const { home } = test.runtime.workspace;
    await mkdir(join(home, 'node_modules'));
    await point(home, 'node_modules/tide-tag', '1');
    expect(await shown(test)).toBe('Hi dexto 1');
    await point(home, 'node_modules/tide-tag', '2');
    expect(await shown(test)).toBe('Hi dexto 2');

    await point(home, 'current', '2');
    await write(home, { 'agent.yml': agentFile('current/index') });
    expect(await shown(test)).toBe('Hi dexto 2');
    await point(home, 'current', '3');
    expect(await shown(test)).toBe('Hi dexto 3');
  });

  it('loads the file that comes before the folder of the same name', async () => {
    const named = agentFile('tag').replace('tag.js', 'tag');
    await using test = await open({ 'agent.yml': named, 'tag/index.js': dexto('1') });
    expect(await shown(test)).toBe('Hi dexto 1');
    await write(test.runtime.workspace.home, { 'tag.js': dexto('2') });
    expect(await shown(test)).toBe('Hi dexto 2');
  });

  it('finds a module that was missing once it is there', async () => {
    await using test = await open({ 'agent.yml': agentFile('deep/tag') });
    await expect(shown(test)).rejects.toMatchObject({ code: 'agent_stopped' });
    await write(test.runtime.workspace.home, { 'deep/tag.js': dexto('1') });
    expect(await shown(test)).toBe('Hi dexto 1');
  });

  it('finds a package that was missing once it is installed', async () => {
    const text = 'plugins:\n  custom:\n    - name: tag\n      module: "tide-tag"\n      priority: 1\n';
    await using test = await open({ 'agent.yml': text });
    await expect(shown(test)).rejects.toMatchObject({ code: 'agent_stopped' });
    await write(test.runtime.workspace.home, {
      'node_modules/tide-tag/package.json':
        '{"name":"tide-tag","version":"1.0.0","type":"module","main":"index.js"}',
      'node_modules/tide-tag/index.js': dexto('1'),
    });
    expect(await shown(test)).toBe('Hi dexto 1');
  });
});

describe('consent', () => {
  it('is asked again for what changed without a hand, of plugins that the user develops as well', async () => {
    await using test = await openTestRuntime(ofWorkspace);
    const { runtime, workspace } = test;
    await runtime.plugins.setDeveloping('claw', true);
    await runtime.plugins.setDeveloping('dexto:tag', true);
    expect(await shown(test)).toBe('Hi claw 1 dexto 1');
    await write(workspace, { [clawFile]: claw('2'), [dextoFile]: dexto('2') });
    expect(await shown(test)).toBe('Hi claw 1 dexto 1');
    expect(test.marks).not.toContain('claw 2');
    expect(test.marks).not.toContain('dexto 2');
    const waiting = runtime.plugins.plugins().filter(({ needsConsent }) => needsConsent !== undefined);
    expect(waiting.map(({ id, needsConsent }) => [id, needsConsent?.why])).toEqual([
      ['claw', 'files-changed'],
      ['dexto:tag', 'files-changed'],
    ]);
  });

  it('is renewed by a save of the hand that nobody has passed on when the turn begins', async () => {
    await using test = await openTestRuntime(ofWorkspace);
    const { runtime, workspace } = test;
    const saved: string[] = [];
    using _following = disposing(runtime.workspace.followSaves(() => Promise.resolve(saved.splice(0))));
    await runtime.plugins.setDeveloping('claw', true);
    await runtime.plugins.setDeveloping('dexto:tag', true);
    await write(workspace, { [clawFile]: claw('2'), [dextoFile]: dexto('2') });
    saved.push(join(workspace, clawFile), join(workspace, dextoFile));
    expect(await shown(test)).toBe('Hi claw 2 dexto 2');
    await write(workspace, { [clawFile]: claw('3'), [dextoFile]: dexto('3') });
    saved.push(join(workspace, dextoFile));
    expect(await shown(test)).toBe('Hi claw 2 dexto 3');
  });

  it('is renewed by a save of the hand also where it could not be taken over at first', async () => {
    let isBroken = false;
    await using test = await openTestRuntime({
      ...ofWorkspace,
      adjustHost: (host) => {
        const stamps: FileSystem['stamps'] = (paths) =>
          isBroken ? Promise.reject(new Error('no disk')) : host.fs.stamps(paths);
        return { ...host, fs: { ...host.fs, stamps } };
      },
    });
    const { runtime, workspace } = test;
    const saved: string[] = [];
    using _following = disposing(runtime.workspace.followSaves(() => Promise.resolve(saved.splice(0))));
    await runtime.plugins.setDeveloping('claw', true);
    await write(workspace, { [clawFile]: claw('2') });
    saved.push(join(workspace, clawFile));
    isBroken = true;
    expect(await shown(test)).toBe('Hi claw 1 dexto 1');
    expect(runtime.workspace.diagnostics().map(({ code }) => code)).toContain('changes_not_taken');
    isBroken = false;
    expect(await shown(test)).toBe('Hi claw 2 dexto 1');
  });

  it('counts as another window has given it or taken it back', async () => {
    await using test = await openTestRuntime(ofWorkspace);
    const otherWindow = createConsentStore(createNodeFileSystem(), test.runtime.workspace.home);
    const [given] = (await otherWindow.consents()).filter(({ id }) => id === 'claw');
    expect(await shown(test)).toBe('Hi claw 1 dexto 1');
    await otherWindow.revoke('claw');
    expect(await shown(test)).toBe('Hi dexto 1');
    await otherWindow.grant(given!);
    expect(await shown(test)).toBe('Hi claw 1 dexto 1');
  });

  it('is asked for a plugin that comes with a checkout: it does not run, and the list shows it', async () => {
    await using test = await openTestRuntime();
    await write(test.workspace, {
      [clawFile]: claw('1'),
      '.pincer/plugins/claw/openclaw.plugin.json': '{"id":"claw","configSchema":{"type":"object"}}',
      '.pincer/agent.yml': `${agentFile('tag')}      blocking: false\n`,
      [dextoFile]: dexto('1'),
    });
    await expect(shown(test)).resolves.toBe('Hi');
    expect(test.marks).toEqual([]);
    const ids = test.runtime.plugins.plugins().flatMap(({ id, needsConsent }) => (needsConsent ? [id] : []));
    expect(ids).toEqual(['claw', 'dexto:tag']);
  });

  it('keeps a turn from beginning while a guard that comes with a checkout has none, until it is switched off', async () => {
    await using test = await openTestRuntime();
    await write(test.workspace, { '.pincer/agent.yml': agentFile('tag'), [dextoFile]: dexto('1') });
    await expect(shown(test)).rejects.toMatchObject({
      code: 'agent_stopped',
      message: expect.stringContaining('The plugin tag of the agent file') as unknown,
      hint: expect.stringContaining('enable it, switch it off, or take it out of the agent file') as unknown,
    });
    await test.runtime.plugins.setEnabled('dexto:tag', false);
    expect(await shown(test)).toBe('Hi');
    expect(test.marks).toEqual([]);
    await test.runtime.plugins.setEnabled('dexto:tag', true);
    expect(await shown(test)).toBe('Hi dexto 1');
  });
});

describe('config', () => {
  it('counts as it is on disk when the turn begins, of the user and of the workspace', async () => {
    await using test = await openTestRuntime({ global: { claw: claw('1') } });
    expect((await asked(test)).systemPrompt).not.toContain('Speak like a pilot.');
    await write(test.runtime.workspace.home, {
      'config.jsonc': JSON.stringify({ agent: { instructions: 'Speak like a pilot.' } }),
    });
    expect((await asked(test)).systemPrompt).toContain('Speak like a pilot.');
    const offered = async () => (await asked(test)).tools.map(({ name }) => name);
    expect(await offered()).toContain('read');
    await write(test.workspace, { '.pincer/config.jsonc': JSON.stringify({ tools: { deny: ['read'] } }) });
    expect(await offered()).not.toContain('read');
    await write(test.runtime.workspace.home, { 'config.jsonc': '{ broken' });
    expect((await asked(test)).systemPrompt).toContain('Speak like a pilot.');
    expect(test.runtime.workspace.diagnostics().some(({ source }) => source?.endsWith('config.jsonc'))).toBe(
      true,
    );
    await rm(join(test.runtime.workspace.home, 'config.jsonc'));
    expect((await asked(test)).systemPrompt).not.toContain('Speak like a pilot.');
  });

  it.each([
    ['a model is added', (runtime) => runtime.models.add(boat)],
    ['another plugin is switched off', (runtime) => runtime.plugins.setEnabled('other', false)],
    ['the mode of approvals is saved', (runtime) => runtime.approvals.setMode('auto')],
  ] satisfies (readonly [string, (runtime: Runtime) => Promise<unknown>])[])(
    'counts also where %s in the moment after somebody has changed it',
    async (_name, change) => {
      const config = { hooks: { internal: { enabled: true } } };
      await using test = await openTestRuntime({ config, global: { claw: claw('1'), other: claw('0') } });
      await write(test.runtime.workspace.home, {
        'hooks/greet/HOOK.md':
          '---\nname: greet\ndescription: Greets.\nmetadata: { "openclaw": { "events": ["message:received"] } }\n---\n',
        'hooks/greet/handler.js': `module.exports = () => { mark('hook'); };`,
      });
      expect(await shown(test)).toContain('claw 1');
      expect(test.marks).toContain('hook');
      const off = {
        hooks: { internal: { enabled: false } },
        plugins: { entries: { claw: { enabled: false } } },
      };
      await write(test.runtime.workspace.home, { 'config.jsonc': JSON.stringify(off) });
      await change(test.runtime);
      test.marks.length = 0;
      expect(await shown(test)).not.toContain('claw 1');
      expect(test.marks).not.toContain('hook');
    },
  );

  it('says where a model is that was chosen before the turn began', async () => {
    const server = await startScriptedModelServer();
    try {
      server.script(textAnswer('from the new place'));
      const config = (baseUrl: string) => ({
        model: 'boat/a',
        models: { providers: { boat: { api: 'openai-compatible', baseUrl, models: [{ id: 'a' }] } } },
      });
      await using test = await openTestRuntime({
        config: config('http://127.0.0.1:1/v1'),
        isRecorded: false,
      });
      const model = test.runtime.models.default();
      await write(test.runtime.workspace.home, { 'config.jsonc': JSON.stringify(config(server.baseUrl)) });
      expect((await test.say('hi', [], { model })).shown).toBe('from the new place');
    } finally {
      await server.dispose();
    }
  });

  it('says what the default model is, for whoever asks before the turn', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const provider = { api: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', models: [{ id: 'a' }] };
    await write(runtime.workspace.home, {
      'config.jsonc': JSON.stringify({ model: 'boat/a', models: { providers: { boat: provider } } }),
    });
    expect(runtime.models.default().info.model).toBe('built-in');
    await runtime.workspace.catchUp();
    expect(runtime.models.default().info.model).toBe('a');
  });
});

describe('texts and hooks', () => {
  it('rules and skills are those on disk when the turn begins', async () => {
    await using test = await openTestRuntime({ files: { 'AGENTS.md': 'Use tabs.' } });
    expect((await asked(test)).systemPrompt).toContain('Use tabs.');
    await write(test.workspace, {
      'AGENTS.md': 'Use dots.',
      '.pincer/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: How to deploy\n---\nPush.\n',
    });
    const { systemPrompt } = await asked(test);
    expect(systemPrompt).toContain('Use dots.');
    expect(systemPrompt).toContain('How to deploy');
  });

  it('what the memory finds is what a note says when the turn begins', async () => {
    await using test = await openTestRuntime({ files: { 'tides.md': '# Tides\n\nHigh water is at six.\n' } });
    await test.runtime.memory.sync();
    await write(test.workspace, { 'tides.md': '# Tides\n\nHigh water is at noon, says the harbour.\n' });
    const { shown: text } = await test.say('When is high water?', [], {
      model: test.runtime.models.default(),
    });
    expect(text).toContain('at noon');
  });

  it('a hook of the operator listens from the turn on that follows it', async () => {
    await using test = await openTestRuntime({ config: { hooks: { internal: { enabled: true } } } });
    const hook = (version: string) => ({
      'hooks/greet/HOOK.md':
        '---\nname: greet\ndescription: Greets.\nmetadata: { "openclaw": { "events": ["message:received"] } }\n---\n',
      'hooks/greet/handler.js': `module.exports = () => { mark('hook ${version}'); };`,
    });
    await shown(test);
    await write(test.runtime.workspace.home, hook('1'));
    await shown(test);
    await write(test.runtime.workspace.home, hook('2'));
    await shown(test);
    expect(test.marks).toEqual(['hook 1', 'hook 2']);
  });
});

it('a turn waits for those that run where something was saved meanwhile, and has it', async () => {
  await using test = await openTestRuntime({ global: { claw: claw('1') } });
  const { runtime } = test;
  const model = createHeldModel([['wait', { type: 'text', text: 'Hi' }, done]]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  await write(runtime.workspace.home, { 'plugins/claw/index.js': claw('2') });
  const beside = test.say('hi', answer, { session: runtime.conversations.create() });
  model.release();
  expect((await turn).shown).toBe('Hi claw 1');
  expect((await beside).shown).toBe('Hi claw 2');
});

it('a message of a channel and a job wait for them, too', async () => {
  let waiting = 0;
  // The time in which turns yield never ends, however slow the machine is.
  const adjustHost = (host: Host): Host => ({
    ...host,
    clock: {
      ...host.clock,
      monotonic: () => host.clock.monotonic() / 1e6,
      after(ms, run) {
        if (ms < 9_999 || ms > 10_000) return host.clock.after(ms, run);
        waiting += 1;
        return () => undefined;
      },
    },
  });
  await using world = await openChannelWorld({ global: { claw: claw('1') }, adjustHost });
  const { conversations, schedule, workspace } = world.runtime;
  await world.pair('42');
  addModel(world, 'post', [{ text: 'One' }, { text: 'Two' }]);
  const { id } = await schedule.add({ name: 'n', prompt: 'Go.', when: { every: '10m' } }, { kind: 'user' });
  const model = createHeldModel([['wait', { type: 'text', text: 'Hi' }, done]]);
  const turn = world.say('hi', [], { model });
  await model.isWaiting;
  await write(workspace.home, { 'plugins/claw/index.js': claw('2') });
  const received = world.post.receive({ id: '1', text: 'Hello?' });
  const { ended } = await schedule.runNow(id);
  await until(() => expect(waiting).toBe(2));
  model.release();
  expect((await turn).shown).toBe('Hi claw 1');
  const { sessionId } = await ended;
  await received;
  const job = await conversations.sessions.open(sessionId ?? '');
  expect(JSON.stringify(job?.messages().at(-1)?.content)).toContain('claw 2');
  expect(world.post.delivered.map(({ text }) => text)).toEqual([expect.stringContaining('claw 2')]);
});

it('what the config forbids anew counts at the next call of a turn that runs; what it allows anew waits', async () => {
  const desk = `const { writeFileSync } = require('node:fs');
module.exports = (api) => {
  const tool = (name, run) => api.registerTool({ name, description: name, parameters: { type: 'object', properties: { file: {}, tools: {} } },
    async execute(id, params) { run(params); return { content: [{ type: 'text', text: name + ' ran' }] }; } });
  tool('rule', ({ file, tools }) => writeFileSync(file, JSON.stringify({ tools })));
  tool('peek', () => {});
};`;
  await using test = await openTestRuntime({ global: { desk }, config: { tools: { deny: ['web_fetch'] } } });
  const file = join(test.runtime.workspace.home, 'config.jsonc');
  const rule = (tools: object) => calls('rule', { file, tools });
  const results = async (...script: readonly object[]): Promise<readonly string[]> =>
    (await test.say('go', [...script, { text: 'Done.' }])).events.flatMap((event) =>
      event.type === 'tool_ended' && event.call.name !== 'rule' ? [textIn(event.result)] : [],
    );
  const denied = 'The tool "peek" can\'t be used: denied by "peek" in tools (user config as it was changed';
  expect(
    await results(
      calls('peek', {}),
      rule({ deny: ['web_fetch', 'peek'] }),
      calls('peek', {}),
      rule({ exec: { deny: ['ls *'] } }),
      calls('peek', {}),
      calls('exec', { command: 'ls x' }),
      calls('web_fetch', { url: 'http://127.0.0.1:1/' }),
    ),
  ).toEqual([
    'peek ran',
    expect.stringContaining(denied),
    'peek ran',
    expect.stringContaining('deny list'),
    expect.stringContaining('denied by "web_fetch" in tools (user config)'),
  ]);
  expect(await results(calls('web_fetch', { url: 'http://127.0.0.1:1/' }))).not.toEqual([
    expect.stringContaining('denied by "web_fetch"'),
  ]);
});

describe('what the config forbids while a turn runs', () => {
  const isRecorded = false;
  const files = { 'a.txt': 'tide' };
  const readsA = calls('read', { path: 'a.txt' });
  const readDenied = JSON.stringify({ tools: { deny: ['read'] } });
  const notRead = expect.stringContaining('denied by "read" in tools') as string;
  const isRead = expect.stringContaining('tide') as string;
  const configOf = ({ runtime }: TestRuntime): string => join(runtime.workspace.home, 'config.jsonc');
  const resultsIn = ({ events }: Pick<TestTurn, 'events'>): readonly string[] =>
    events.flatMap((event) => (event.type === 'tool_ended' ? [textIn(event.result)] : []));

  /** One turn of these calls, each with what is done before the model is asked for it. */
  const turnOf = async (
    test: TestRuntime,
    steps: readonly (readonly [before: () => void, call: object])[],
    signal = new AbortController().signal,
  ): Promise<TestTurn> => {
    const before = steps.map(([run]) => run);
    const script = [...steps.map(([, call]) => call), { text: 'Done.' }];
    return await test.say('go', script, { signal, seen: () => before.shift()?.() });
  };

  it('holds on while the file is broken, in the turn and in the next', async () => {
    await using test = await openTestRuntime({ files, config: {}, isRecorded });
    const save = (text: string) => () => writeFileSync(configOf(test), text);
    const turn = await turnOf(test, [
      [() => undefined, readsA],
      [save(readDenied), readsA],
      [save('{ broken'), readsA],
    ]);
    expect(resultsIn(turn)).toEqual([isRead, notRead, notRead]);
    expect((await asked(test)).tools.map(({ name }) => name)).not.toContain('read');
  });

  const desk = `module.exports = (api) => {
  const tool = (name) => [{ name, description: name, parameters: { type: 'object', properties: {} },
    async execute() { return { content: [{ type: 'text', text: name + ' ran' }] }; } }, { optional: name === 'spare' }];
  api.registerTool(...tool('peek'));
  api.registerTool(...tool('spare'));
};`;
  it.each([
    ['its plugin', { plugins: { deny: ['desk'] } }, ['off: blocked by denylist', 'off: blocked by denylist']],
    ['all plugins', { plugins: { enabled: false } }, ['off: plugins disabled', 'off: plugins disabled']],
    [
      'the entry of its plugin',
      { plugins: { entries: { desk: { enabled: false } } } },
      ['off: disabled in config', 'off: disabled in config'],
    ],
    [
      'a shorter list of those that may run',
      { plugins: { allow: ['other'] } },
      ['off: not in allowlist', 'off: not in allowlist'],
    ],
    ['what let it be there', {}, ['peek ran', 'optional: add its name']],
  ])('takes a plugin its tools: %s', async (_what, config, texts) => {
    await using test = await openTestRuntime({
      global: { desk },
      config: { tools: { alsoAllow: ['spare'] } },
      isRecorded,
    });
    const kept = 'plugins' in config ? { tools: { alsoAllow: ['spare'] } } : {};
    const turn = await turnOf(test, [
      [() => undefined, calls('peek', {})],
      [() => undefined, calls('spare', {})],
      [() => writeFileSync(configOf(test), JSON.stringify({ ...kept, ...config })), calls('peek', {})],
      [() => undefined, calls('spare', {})],
    ]);
    expect(resultsIn(turn)).toEqual([
      'peek ran',
      'spare ran',
      ...texts.map((text) => expect.stringContaining(text) as string),
    ]);
  });

  it('leaves the hooks of a plugin that it forbids what refuses, and nothing that changes or hears', async () => {
    const hooks = `module.exports = (api) => {
  api.on('before_tool_call', ({ toolName, params }) =>
    params.path === 'b.txt' ? { block: true, blockReason: 'no b' } : { params: { path: 'c.txt' } });
  api.on('after_tool_call', ({ params }) => globalThis.mark('heard ' + params.path));
  require('openclaw/plugin-sdk').onDiagnosticEvent(({ type }) => {
    if (type === 'tool.execution.completed') globalThis.mark('told ' + type);
  });
};`;
    const all = { 'a.txt': 'tide', 'b.txt': 'ebb', 'c.txt': 'reef' };
    await using test = await openTestRuntime({ files: all, global: { hooks }, config: {}, isRecorded });
    const readsB = calls('read', { path: 'b.txt' });
    const deny = () => writeFileSync(configOf(test), JSON.stringify({ plugins: { deny: ['hooks'] } }));
    const turn = await turnOf(test, [
      [() => undefined, readsA],
      [deny, readsA],
      [() => undefined, readsB],
    ]);
    const texts = [/reef/u, /tide/u, /no b/u].map((text) => expect.stringMatching(text) as string);
    expect(resultsIn(turn)).toEqual(texts);
    expect(test.marks.toSorted()).toEqual(['heard c.txt', 'told tool.execution.completed']);
    expect(resultsIn(await turnOf(test, [[() => undefined, readsB]]))).toEqual([
      expect.stringContaining('ebb'),
    ]);
  });

  it.each([
    ['the plugin of the workspace', { plugins: { desk } }, 'off: blocked by denylist'],
    ['no plugin of the user', { global: { desk } }, 'peek ran'],
    [
      'the plugin of the workspace that overrides one of the user',
      { plugins: { desk }, global: { desk } },
      'off: blocked by denylist',
    ],
    [
      'no plugin that the user installed and that overrides one of the workspace',
      { plugins: { desk }, global: { desk }, isInstalled: true },
      'peek ran',
    ],
  ])('takes %s its tools where the file of the workspace says it', async (what, where, text) => {
    const config = { plugins: { entries: { desk: { enabled: true } } } };
    const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-deny-')));
    onTestFinished(() => rm(root, { recursive: true }));
    const home = join(root, 'home');
    if ('isInstalled' in where) await writeRecord(home, 'desk', join(home, 'plugins', 'desk'));
    await using test = await openTestRuntime({ ...where, root, config, isRecorded });
    if (what.startsWith('the'))
      await test.runtime.workspace.applyFix({
        kind: 'allow-registrations',
        pluginId: 'desk',
        names: ['tool peek'],
      });
    const file = join(test.workspace, '.pincer/config.jsonc');
    mkdirSync(dirname(file), { recursive: true });
    const turn = await turnOf(test, [
      [() => undefined, calls('peek', {})],
      [() => writeFileSync(file, JSON.stringify({ plugins: { deny: ['desk'] } })), calls('peek', {})],
    ]);
    expect(resultsIn(turn)).toEqual(['peek ran', expect.stringContaining(text)]);
  });

  it.each([
    ['the key', { allow: ['touch *'] }, '{"tools":{"exec":{}}}'],
    ['the section', { allow: ['touch *'] }, '{}'],
    ['the file', { allow: ['touch *'] }, undefined],
    ['full security', { security: 'full' }, '{"tools":{"exec":{}}}'],
  ])('is what asks where %s is taken out that let a command run', async (_what, exec, text) => {
    await using test = await openTestRuntime({ config: { tools: { exec } }, answer: 'deny', isRecorded });
    const change = (): void => {
      if (text === undefined) rmSync(configOf(test));
      else writeFileSync(configOf(test), text);
    };
    await turnOf(test, [
      [() => undefined, calls('exec', { command: 'touch before' })],
      [change, calls('exec', { command: 'touch after' })],
    ]);
    expect(['before', 'after'].map((name) => existsSync(join(test.workspace, name)))).toEqual([true, false]);
  });

  it.each([
    ['a tool', { deny: ['exec'] }, 'exec', { command: 'touch made' }, 'denied by "exec" in tools'],
    ['a command', { exec: { deny: ['touch *'] } }, 'exec', { command: 'touch made' }, 'deny list'],
    [
      'all of the web',
      { web: { fetch: { enabled: false } } },
      'web_fetch',
      { url: 'https://tides.example/' },
      'tools.web.fetch.enabled is false',
    ],
    [
      'a host',
      { web: { fetch: { denyHosts: ['tides.example'] } } },
      'web_fetch',
      { url: 'https://tides.example/' },
      'tools.web.fetch.denyHosts',
    ],
  ])('counts for a call that waited for a yes meanwhile: %s', async (_what, tools, name, params, reason) => {
    await using test = await openTestRuntime({ config: {}, isRecorded });
    const { approvals } = test.runtime;
    using _answering = disposing(
      approvals.onDidChange(() => {
        const [first] = approvals.pending();
        if (first === undefined) return;
        writeFileSync(configOf(test), JSON.stringify({ tools }));
        approvals.noteShownWhole(first.id, 'call');
        approvals.resolve(first.id, 'allow-once', 'chat');
      }),
    );
    const turn = await turnOf(test, [[() => undefined, calls(name, params)]]);
    expect(turn.events).toContainEqual(
      expect.objectContaining({ type: 'approval_resolved', resolution: 'allow-once' }),
    );
    expect(resultsIn(turn)).toEqual([expect.stringContaining(reason)]);
    expect(existsSync(join(test.workspace, 'made'))).toBe(false);
  });

  /** A disk that hangs from `hang` on, and a clock whose 2 s are over at once or never. */
  const hangingDisk = (twoSeconds: 'over at once' | 'never over') => {
    const reached = createGate();
    let isHanging = false;
    let looks = 0;
    return {
      reached: reached.opened,
      looks: () => looks,
      hang: () => void (isHanging = true),
      adjustHost: ({ fs, clock, ...host }: Host): Host => ({
        ...host,
        clock: {
          ...clock,
          after(ms, run) {
            if (!isHanging || ms !== 2_000) return clock.after(ms, run);
            return twoSeconds === 'never over' ? () => undefined : clock.after(0, run);
          },
        },
        fs: {
          ...fs,
          async stamps(paths) {
            if (!isHanging) return await fs.stamps(paths);
            looks += 1;
            reached.open();
            return await new Promise<never>(() => undefined);
          },
        },
      }),
    };
  };

  it('is not looked for once the turn was stopped, however long the disk takes', async () => {
    const { adjustHost, hang, reached } = hangingDisk('never over');
    await using test = await openTestRuntime({ files, config: {}, isRecorded, adjustHost });
    const stop = new AbortController();
    const turn = turnOf(test, [[hang, readsA]], stop.signal);
    await reached;
    stop.abort();
    expect((await turn).outcome).toMatchObject({ status: 'cancelled' });
  });

  it('is looked for during 2 s at most: the call then goes on with what is known, and the log says so', async () => {
    const { adjustHost, hang, looks } = hangingDisk('over at once');
    await using test = await openTestRuntime({ files, config: {}, isRecorded, adjustHost });
    const again = [() => undefined, readsA] as const;
    expect(resultsIn(await turnOf(test, [[hang, readsA], again]))).toEqual([isRead, isRead]);
    expect(looks()).toBe(1);
    expect(test.log.lines).toContainEqual({
      level: 'warn',
      message: expect.stringContaining('a call went by the config as it was known') as string,
    });
  });

  it('counts for a call that came while an older look of another turn was running', async () => {
    const older = holdPoint();
    const asked = createGate();
    const waiting = [older];
    let isHolding = false;
    const adjustHost = ({ fs, clock, ...host }: Host): Host => ({
      ...host,
      // However slow the machine is, the looks end in the order in which they are let go.
      clock: {
        ...clock,
        after(ms, run) {
          if (!isHolding || ms !== 2_000) return clock.after(ms, run);
          if (waiting.length === 0) asked.open();
          return () => undefined;
        },
      },
      fs: {
        ...fs,
        async readText(path, max) {
          const text = await fs.readText(path, max);
          if (isHolding && path.endsWith('home/config.jsonc')) await waiting.shift()?.pass();
          return text;
        },
      },
    });
    await using test = await openTestRuntime({ files, config: {}, isRecorded, adjustHost });
    const model = createHeldModel([
      [
        'wait',
        { type: 'toolCall', id: '1', name: 'read', arguments: { path: 'a.txt' } },
        { ...done, stopReason: 'toolUse' },
      ],
      [{ type: 'text', text: 'Done.' }, done],
    ]);
    const second = test.say('go', [], { model, session: test.runtime.conversations.create() });
    await model.isWaiting;
    const first = turnOf(test, [
      [
        () => {
          writeFileSync(configOf(test), JSON.stringify({ tools: { deny: ['write'] } }));
          isHolding = true;
        },
        readsA,
      ],
    ]);
    await older.reached;
    writeFileSync(configOf(test), readDenied);
    model.release();
    await asked.opened;
    older.letGo();
    expect(resultsIn(await first)).toEqual([isRead]);
    expect(resultsIn(await second)).toEqual([notRead]);
  });
});

/** Where work stops until it is let go. */
function holdPoint() {
  const reached = createGate();
  const gone = createGate();
  return {
    reached: reached.opened,
    letGo: gone.open,
    async pass(): Promise<void> {
      reached.open();
      await gone.opened;
    },
  };
}

it('beside a turn that takes long nothing is swapped, which is said; the next that begins alone has what was saved', async () => {
  // The time in which turns yield is over at once.
  const adjustHost = (host: Host): Host => ({
    ...host,
    clock: { ...host.clock, after: (ms, run) => host.clock.after(ms > 9_000 && ms <= 10_000 ? 0 : ms, run) },
  });
  await using test = await openTestRuntime({ global: { claw: claw('1') }, adjustHost });
  const { runtime } = test;
  const model = createHeldModel([['wait', { type: 'text', text: 'Hi' }, done]]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  await write(runtime.workspace.home, { 'plugins/claw/index.js': claw('2') });
  const beside = await test.say('hi', answer, { session: runtime.conversations.create() });
  expect(beside.shown).toBe('Hi claw 1');
  expect(beside.events).toContainEqual({
    type: 'notice',
    text: 'Changes on disk wait for 1 running turn.',
  });
  model.release();
  expect((await turn).shown).toBe('Hi claw 1');
  expect(await shown(test)).toBe('Hi claw 2');
});

it('reads and loads nothing where nothing has changed, and once where something has, whoever else tells of it', async () => {
  const read: string[] = [];
  const counting = (fs: FileSystem): FileSystem => ({
    ...fs,
    readFile: (path, max) => {
      read.push(path);
      return fs.readFile(path, max);
    },
    readText: (path, max) => {
      read.push(path);
      return fs.readText(path, max);
    },
  });
  await using test = await openTestRuntime({
    ...ofWorkspace,
    global: { other: claw('0') },
    adjustHost: (host) => ({ ...host, fs: counting(host.fs) }),
  });
  const { runtime, workspace } = test;
  const codeRead = () =>
    read.splice(0).filter((path) => /\/(?:index|tag)\.js$|config\.jsonc$|agent\.yml$/u.test(path));
  await shown(test);
  const loaded = test.marks.length;
  codeRead();
  for (let turn = 0; turn < 3; turn += 1) await shown(test);
  await runtime.workspace.filesChanged();
  await runtime.workspace.catchUp();
  expect(codeRead()).toEqual([]);
  await runtime.plugins.setDeveloping('claw', true);
  codeRead();
  await write(workspace, { [clawFile]: claw('2') });
  const saved = [join(workspace, clawFile)];
  using _following = disposing(runtime.workspace.followSaves(() => Promise.resolve(saved.splice(0))));
  const told = runtime.workspace.filesChanged();
  expect(await shown(test)).toContain('claw 2');
  await told;
  await runtime.workspace.filesChanged();
  expect(test.marks.slice(loaded)).toEqual(['claw 2']);
});

function disposing(subscription: { dispose(): void }): Disposable {
  return { [Symbol.dispose]: () => subscription.dispose() };
}

it('a turn that has waited long enough for a slow disk waits for the plugins of the agent file all the same', async () => {
  let isSlow = false;
  const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 20));
    return await work();
  };
  await using test = await openTestRuntime({
    // The 2 s that a turn waits are 4 ms.
    speed: 500,
    adjustHost: (host) => ({
      ...host,
      fs: { ...host.fs, readText: (...given) => slowly(() => host.fs.readText(...given)) },
    }),
  });
  for (let turn = 0; turn < 3; turn += 1) {
    // What the turn before was too early for has been loaded by now.
    isSlow = false;
    await test.runtime.workspace.filesChanged();
    await write(test.workspace, { '.pincer/agent.yml': `# ${turn}\nplugins: {}\n` });
    isSlow = true;
    const { outcome, events } = await test.say('Hi.', [{ text: 'Hi.' }]);
    expect(outcome).toMatchObject({ status: 'completed' });
    const text = expect.stringContaining('Looking for changes on disk took more than 2 s') as string;
    expect(events).toContainEqual({ type: 'notice', text });
  }
});
