import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hookCatalog, hookNames } from '../../../src/hooks/hookCatalog.ts';
import { createConsentStore } from '../../../src/plugins/consent/consentStore.ts';
import { installPlugin } from '../../../src/plugins/install/installPlugin.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel, spawns } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from '../channels/channelWorld.ts';
import { recordHooks, recorderMayRead } from './recordHooks.ts';
import { until } from '../../builders/until.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-recorder-'));
  await mkdir(join(folder, 'recorder'));
  const manifest = { id: 'recorder', configSchema: { type: 'object' } };
  await writeFile(join(folder, 'recorder', 'openclaw.plugin.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'recorder', 'index.js'), recordHooks());
});
afterEach(() => rm(folder, { recursive: true }));

/** As `pincer plugins install` does, up to the question, which is answered with no. */
async function install({ host, workspace: { home }, plugins }: Runtime): Promise<void> {
  const consents = createConsentStore(host.fs, home);
  const declined = {
    surface: 'vscode',
    confirmDependencies: () => Promise.resolve(false),
    confirm: () => Promise.resolve(false),
    tryOut: () => Promise.resolve(undefined),
  };
  const parts = { ...host, home, hooks: plugins.hooks, consents, others: plugins.plugins(), ...declined };
  const outcome = await installPlugin(parts, join(folder, 'recorder'));
  expect(outcome.kind).toBe('declined');
}

it('names the file that fires each hook', async () => {
  for (const hook of hookNames) {
    const { emitSite } = hookCatalog[hook];
    const source = await readFile(new URL(`../../../src/${emitSite ?? 'nowhere'}`, import.meta.url), 'utf8');
    const fires = new RegExp(`\\.(observe|modify|claim|gate|sync)\\(\\s*'${hook}'`, 'u');
    expect([hook, fires.test(source)]).toEqual([hook, true]);
  }
});

it('fires every hook of the catalog in a real run', async () => {
  const marks: string[] = [];
  {
    // The user's own configuration loads it, so it is there when the runtime starts.
    await using test = await openTestRuntime({
      files: { 'a.md': 'text' },
      config: {
        schedule: { heartbeat: { everyMinutes: 60 } },
        plugins: { ...recorderMayRead.plugins, load: { paths: [join(folder, 'recorder')] } },
      },
    });
    // Long enough to be worth a summary.
    await test.say(`read it ${'again '.repeat(200)}`, [
      { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
      { toolCalls: [{ name: 'exec', arguments: { command: 'git status' } }] },
      { text: 'done' },
    ]);
    await test.say('thanks', [{ text: 'welcome' }]);
    const model = addModel(test, 'child', [{ text: 'found' }]);
    await test.say('look into it', [spawns('Find it.', { model }), { text: 'found' }]);
    const { signal } = new AbortController();
    const compacted = await test.runtime.conversations.compact(test.session, signal);
    expect(compacted.status).toBe('compacted');
    await test.runtime.conversations.reset(test.session);
    await install(test.runtime);
    await test.runtime.schedule.start();
    await (
      await test.runtime.schedule.runNow('heartbeat')
    ).ended;
    await test.runtime.stop('shutdown');
    marks.push(...test.marks.map((mark) => mark.split(' ')[0] ?? ''));
  }
  {
    await using world = await openChannelWorld({
      config: { ...channelConfig(), ...recorderMayRead },
      global: { recorder: recordHooks() },
    });
    await world.pair('42');
    addModel(world, 'post', [{ text: 'Hi.' }]);
    await world.post.receive({ id: 'm1', text: 'Hello.' });
    await until(() => expect(world.marks).toContain('message_sent'));
    marks.push(...world.marks.map((mark) => mark.split(' ')[0] ?? ''));
  }
  expect([...new Set(marks)].sort()).toEqual([...hookNames].sort());
});
