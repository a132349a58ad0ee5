import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readHookTypes } from '../../../scripts/readHookTypes.ts';
import { hookNames } from '../../../src/hooks/hookCatalog.ts';
import { neverSet } from '../../../src/hooks/neverSet.ts';
import { createConsentStore } from '../../../src/plugins/consent/consentStore.ts';
import { installPlugin } from '../../../src/plugins/install/installPlugin.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import {
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
} from '../../builders/scriptedModelServer.ts';
import { addModel, spawns } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from '../channels/channelWorld.ts';
import { until } from '../../builders/until.ts';

interface Fields {
  readonly event: Set<string>;
  readonly context: Set<string>;
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-fields-'));
  await mkdir(join(folder, 'recorder'));
  const manifest = { id: 'recorder', version: '1.0.0', configSchema: { type: 'object' }, skills: ['skills'] };
  await writeFile(join(folder, 'recorder', 'openclaw.plugin.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'recorder', 'index.js'), recorder);
  await mkdir(join(folder, 'recorder', 'skills', 'tidy'), { recursive: true });
  const skill = '---\nname: tidy\ndescription: Tidies up.\n---\n';
  await writeFile(join(folder, 'recorder', 'skills', 'tidy', 'SKILL.md'), skill);
});
afterEach(() => rm(folder, { recursive: true }));

/** Marks the fields that each handler finds set. */
const recorder = `
module.exports = (api) => {
  const set = (value) => Object.keys(value ?? {}).filter((key) => value[key] !== undefined);
  for (const name of ${JSON.stringify(hookNames)}) {
    api.on(name, (event, context) => {
      mark(JSON.stringify([name, set(event), set(context)]));
      if (name === 'before_agent_run') return { outcome: 'pass' };
      if (name === 'message_sending' && event.content === 'secret') return { cancel: true };
    });
  }
};`;

/** Set where this run does not come by; the tests named here see them. */
const elsewhere = new Set([
  // test/samples/conversations: a pause that ends a session names the one after it.
  'session_end event.nextSessionId',
  'session_end event.nextSessionKey',
  // src/agent/context/compactionSignals.test.ts: a compaction within a turn.
  'before_compaction context.runId',
  'after_compaction context.runId',
]);

function readMarks(marks: readonly string[]): ReadonlyMap<string, Fields> {
  const seen = new Map<string, Fields>();
  for (const mark of marks) {
    const [name, event, context] = JSON.parse(mark) as [string, string[], string[]];
    const fields = seen.get(name) ?? { event: new Set(), context: new Set() };
    seen.set(name, fields);
    for (const field of event) if (field !== 'context') fields.event.add(field);
    for (const field of context) if (field !== 'abortSignal') fields.context.add(field);
  }
  return seen;
}

async function install({ host, workspace: { home }, plugins }: Runtime, from: string): Promise<void> {
  const consents = createConsentStore(host.fs, home);
  const declined = {
    surface: 'vscode',
    confirm: () => Promise.resolve(false),
    confirmDependencies: () => Promise.resolve(false),
    tryOut: () => Promise.resolve(undefined),
  };
  const parts = { ...host, home, hooks: plugins.hooks, consents, others: plugins.plugins(), ...declined };
  const outcome = await installPlugin(parts, from);
  expect(outcome.kind).toBe('declined');
}

it('sets each field of the catalog in a real run of its hook, or the catalog says why it never does', async () => {
  const server = await startScriptedModelServer();
  const providers = {
    loopback: { api: 'openai-compatible', baseUrl: server.baseUrl, models: [{ id: 'scripted' }] },
  };
  const root = await mkdtemp(join(tmpdir(), 'pincer-fields-root-'));
  const options = {
    root,
    isRecorded: false,
    answer: 'allow-once',
    files: { 'a.md': 'text' },
    config: {
      model: 'loopback/scripted',
      schedule: { heartbeat: { everyMinutes: 60 } },
      gateway: { enabled: true, port: 0 },
      models: { providers },
      plugins: {
        load: { paths: [join(folder, 'recorder')] },
        entries: { recorder: { hooks: { allowConversationAccess: true } } },
      },
    },
  } as const;
  const marks: string[] = [];
  let sessionId = '';
  {
    await using test = await openTestRuntime(options);
    const { runtime, session } = test;
    sessionId = session.id;
    const model = runtime.models.get({ provider: 'loopback', model: 'scripted' });
    if (model === undefined) throw new Error('no model');
    server.script({ ...textAnswer('Aye.'), headers: { 'x-request-id': 'r-1' } });
    await test.say(`hello ${'again '.repeat(200)}`, [], { model });
    server.script(statusAnswer(401, 'no'));
    await test.say('fails', [], { model });
    await test.say('read it', [
      {
        text: 'Let me look.',
        toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }],
        usage: { input: 9, output: 1 },
      },
      {
        toolCalls: [
          { name: 'read', arguments: { path: 'missing.md' } },
          { name: 'exec', arguments: { command: 'git status' } },
        ],
      },
      { text: 'secret' },
    ]);
    await test.say('offline', [{ error: { code: 'model_offline', message: 'away' } }]);
    await test.say('write', [
      { toolCalls: [{ name: 'write', arguments: { path: 'b.md', content: 'b' } }] },
      { text: 'Done.' },
    ]);
    const good = addModel(test, 'good', [{ text: 'found' }]);
    await test.say('look', [spawns('Find it.', { model: good }), { text: 'found' }]);
    const child = addModel(test, 'child', [{ error: { code: 'model_refused', message: 'no' } }]);
    await test.say('look into it', [spawns('Find it.', { model: child }), { text: 'found' }]);
    const { signal } = new AbortController();
    server.script(textAnswer('We spoke of files.'));
    await runtime.conversations.compact(session, signal);
    await install(runtime, join(folder, 'recorder'));
    await runtime.schedule.start();
    const job = { name: 'check', prompt: 'Read it.', when: { every: '1h' } };
    const { id } = await runtime.schedule.add(job, { kind: 'user' });
    server.script(toolCallAnswer([{ name: 'read', arguments: { path: 'a.md' } }]), textAnswer('Aye.'));
    await (
      await runtime.schedule.runNow(id)
    ).ended;
    server.script(
      toolCallAnswer([{ name: 'exec', arguments: { command: 'git status' } }]),
      statusAnswer(401, 'no'),
    );
    await (
      await runtime.schedule.runNow(id)
    ).ended;
    await (
      await runtime.schedule.runNow('heartbeat')
    ).ended;
    marks.push(...test.marks);
  }
  {
    await using test = await openTestRuntime(options);
    const session = await test.runtime.conversations.sessions.open(sessionId);
    if (session === undefined) throw new Error('no session');
    await test.say('back again', [{ text: 'Aye.' }], { session });
    await test.runtime.conversations.reset(session, 'new');
    await expect.poll(() => test.runtime.gateway.status().state).toBe('running');
    await test.runtime.stop('shutdown');
    marks.push(...test.marks);
  }
  await server.dispose();
  await rm(root, { recursive: true });
  {
    const mayRead = { plugins: { entries: { recorder: { hooks: { allowConversationAccess: true } } } } };
    await using world = await openChannelWorld({
      config: { ...channelConfig({ groups: { '*': { requireMention: false } } }), ...mayRead },
      global: { recorder },
    });
    await world.pair('42');
    addModel(world, 'post', [{ text: 'Hi.' }, { text: 'Hi all.' }]);
    await world.post.receive({ id: 'm1', text: 'Hello.', thread: 't1' });
    await world.post.receive({ id: 'm2', text: 'Hello all.', group: 'g1', thread: 't2', parent: 'g0' });
    await until(() => expect(world.post.delivered).toHaveLength(2));
    await world.runtime.stop('shutdown');
    marks.push(...world.marks);
  }

  const seen = readMarks(marks);
  const types = readHookTypes();
  const faults = hookNames.flatMap((hook) =>
    (['event', 'context'] as const).flatMap((part) => {
      const declared = (types.get(hook)?.[part] ?? []).map(({ name }) => name);
      const results = (types.get(hook)?.result ?? []).map(({ name }) => name);
      const reasons: Readonly<Record<string, string>> = neverSet[hook]?.[part] ?? {};
      const set = seen.get(hook)?.[part] ?? new Set<string>();
      return [
        ...declared
          .filter(
            (field) =>
              !set.has(field) && !Object.hasOwn(reasons, field) && !elsewhere.has(`${hook} ${part}.${field}`),
          )
          .map((field) => `${hook} ${part}.${field}: never seen`),
        ...Object.keys(reasons)
          .filter((field) => set.has(field))
          .map((field) => `${hook} ${part}.${field}: set, against the catalog`),
        ...[...set]
          .filter((field) => !declared.includes(field) && !results.includes(field))
          .map((field) => `${hook} ${part}.${field}: not in the catalog`),
      ];
    }),
  );
  expect(faults).toEqual([]);
});
