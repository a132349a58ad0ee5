import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel, calls } from '../agents/agentWorld.ts';
import { createShiftedClock, type ShiftedClock } from './shiftedClock.ts';
import { until } from '../../builders/until.ts';

const byUser = { kind: 'user' } as const;
const wish = { name: 'check', prompt: 'Check.', when: { every: '1h' } } as const;
const leads = { hooks: { allowConversationAccess: true } };
const marksOf = (marks: readonly string[]): readonly unknown[] =>
  marks.map((mark) => JSON.parse(mark) as unknown);

it('a plugin hears of each change of a job, of its turn with ctx.jobId, and reads no prompt', async () => {
  await using world = await openTestRuntime({
    files: { 'log.md': 'day one\n' },
    config: { model: 'replay/job', plugins: { entries: { watcher: leads } } },
    plugins: {
      watcher: `
module.exports = (api) => {
  api.on('cron_changed', (event, ctx) => mark(JSON.stringify(['changed', event.action, event.job.payload, event.status, typeof ctx.getCron])));
  api.on('before_tool_call', (event, ctx) => mark(JSON.stringify(['tool', event.toolName, ctx.jobId])));
  api.on('agent_end', (event, ctx) => mark(JSON.stringify(['end', ctx.trigger, ctx.jobId])));
};`,
    },
  });
  const { schedule } = world.runtime;
  addModel(world, 'job', [calls('read', { path: 'log.md' }), { text: 'Fine.' }]);
  const { id } = await schedule.add(wish, byUser);
  await (
    await schedule.runNow(id)
  ).ended;
  await schedule.remove(id);
  await until(() => expect(world.marks.at(-1)).toContain('removed'));
  const payload = { kind: 'agentTurn' };
  const marks = marksOf(world.marks);
  expect(marks.filter((mark) => Array.isArray(mark) && mark[0] === 'changed')).toEqual([
    ['changed', 'added', payload, null, 'function'],
    ['changed', 'started', payload, null, 'function'],
    ['changed', 'finished', payload, 'ok', 'function'],
    ['changed', 'removed', payload, null, 'function'],
  ]);
  expect(marks).toContainEqual(['tool', 'read', id]);
  expect(marks).toContainEqual(['end', 'cron', id]);
});

it('a plugin hears when a job that ran is due again, so that it can wake the machine for it', async () => {
  let clock: ShiftedClock | undefined;
  await using world = await openTestRuntime({
    config: { model: 'replay/job' },
    adjustHost: (host) => ({ ...host, clock: (clock ??= createShiftedClock(host.clock)) }),
    global: {
      waker: `module.exports = (api) => api.on('cron_changed', ({ action, jobId, nextRunAtMs }) => mark(JSON.stringify([action, jobId, nextRunAtMs])));`,
    },
  });
  const { schedule } = world.runtime;
  addModel(world, 'job', [{ text: 'Fine.' }]);
  await schedule.start();
  const { id } = await schedule.add(wish, byUser);
  const first = (await schedule.get(id)).next ?? 0;
  const told = (action: string): number =>
    marksOf(world.marks).findIndex((mark) => Array.isArray(mark) && mark[0] === action);
  await until(() => {
    // On a slow machine another hour may go by before it is told that the first run has begun: then there is one more run.
    if (told('started') === -1) clock?.shift(3_600_000);
    expect(told('scheduled')).toBeGreaterThan(told('finished'));
  });
  expect(told('finished')).toBeGreaterThan(told('started'));
  expect(marksOf(world.marks)[told('scheduled')]).toEqual(['scheduled', id, expect.any(Number)]);
  expect((marksOf(world.marks)[told('scheduled')] as readonly unknown[])[2]).toBeGreaterThan(first);
});

it('a plugin mirrors the schedule once it has begun, and again where the config switches it off', async () => {
  await using world = await openTestRuntime({
    global: {
      mirror: `
let before;
module.exports = { register(api) {
  api.on('cron_reconciled', async (event, ctx) => {
    const cron = ctx.getCron();
    const jobs = await cron.list({ includeDisabled: true });
    mark(JSON.stringify([event.reason, event.enabled, await cron.isEnabled(), jobs.map((job) => job.name), before?.aborted, ctx.abortSignal.aborted]));
    before = ctx.abortSignal;
  });
} };`,
    },
  });
  const { schedule, host, workspace } = world.runtime;
  await schedule.add(wish, byUser);
  await schedule.start();
  await until(() => expect(world.marks).toHaveLength(1));
  await host.fs.writeFile(`${workspace.home}/config.jsonc`, '{ "schedule": { "enabled": false } }');
  await workspace.reloadConfig();
  await until(() => expect(world.marks).toHaveLength(2));
  expect(marksOf(world.marks)).toEqual([
    ['startup', true, true, ['check'], null, false],
    ['reload', false, false, ['check'], true, false],
  ]);
});

const scheduler = `
module.exports = (api) => {
  api.registerCommand({
    name: 'later',
    description: 'Schedules a turn.',
    handler: async (ctx) => {
      try {
        const handle = await api.session.workflow.scheduleSessionTurn({
          sessionKey: globalThis.wantedKey, message: 'Go on.', delayMs: 3600000, tag: 'follow', name: 'follow up',
        });
        return { text: JSON.stringify(handle ?? null) };
      } catch (error) {
        return { text: 'refused: ' + error.message };
      }
    },
  });
  api.registerCommand({
    name: 'never',
    description: 'Takes it out.',
    handler: async () => ({
      text: JSON.stringify(await api.unscheduleSessionTurnsByTag({ sessionKey: globalThis.wantedKey, tag: 'follow' })),
    }),
  });
};`;

it('scheduleSessionTurn adds a job that goes on with the session, and its tag takes it out', async () => {
  await using world = await openTestRuntime({
    config: { model: 'replay/job', plugins: { entries: { scheduler: leads } } },
    plugins: { scheduler },
  });
  const { schedule, plugins } = world.runtime;
  await world.say('hello', [{ text: 'hi' }]);
  Object.assign(globalThis, { wantedKey: world.session.key });
  addModel(world, 'job', [{ text: 'Went on.' }]);
  const said = JSON.parse((await plugins.findCommand('/later')?.run(world.session))?.text ?? '') as {
    id: string;
  };
  expect(said).toMatchObject({ pluginId: 'scheduler', sessionKey: world.session.key, kind: 'session-turn' });
  const run = await (await schedule.runNow(said.id)).ended;
  expect(run).toMatchObject({ status: 'ok', sessionId: world.session.id, summary: 'Went on.' });
  expect((await plugins.findCommand('/never')?.run(world.session))?.text).toBe('{"removed":1,"failed":0}');
  expect(await schedule.list()).toEqual([]);
  Reflect.deleteProperty(globalThis, 'wantedKey');
});

it('unscheduleSessionTurnsByTag removes nothing where the session is not known or no tag is named', async () => {
  await using world = await openTestRuntime({
    config: { model: 'replay/job', plugins: { entries: { careless: leads } } },
    plugins: {
      careless: `module.exports = (api) => api.registerCommand({
        name: 'clear', description: 'Takes them out.',
        handler: async () => ({ text: JSON.stringify([
          await api.unscheduleSessionTurnsByTag({ sessionKey: 'gone' }),
          await api.unscheduleSessionTurnsByTag({ sessionKey: globalThis.wantedKey }),
        ]) }),
      });`,
    },
  });
  const { schedule, plugins } = world.runtime;
  await world.say('hello', [{ text: 'hi' }]);
  Object.assign(globalThis, { wantedKey: world.session.key });
  const byPlugin = { kind: 'plugin', pluginId: 'careless' } as const;
  const job = { name: 'kept', prompt: 'Look.', when: { every: '1h' } };
  await schedule.add(job, byPlugin);
  await schedule.add({ ...job, sessionId: world.session.id }, byPlugin);
  const none = { removed: 0, failed: 0 };
  const said = (await plugins.findCommand('/clear')?.run(world.session))?.text ?? '';
  expect(JSON.parse(said)).toEqual([none, none]);
  expect(await schedule.list()).toHaveLength(2);
  Reflect.deleteProperty(globalThis, 'wantedKey');
});

it('a plugin that may not lead conversations schedules nothing, and the user is told', async () => {
  await using world = await openTestRuntime({ plugins: { scheduler } });
  Object.assign(globalThis, { wantedKey: world.session.key });
  expect((await world.runtime.plugins.findCommand('/later')?.run(world.session))?.text).toContain(
    'refused: Plugin scheduler',
  );
  expect(await world.runtime.schedule.list()).toEqual([]);
  expect(world.runtime.workspace.diagnostics().map(({ code }) => code)).toContain(
    'plugin_conversation_denied',
  );
  Reflect.deleteProperty(globalThis, 'wantedKey');
});

it('getCron in gateway_start adds, changes and removes jobs of the plugin alone', async () => {
  await using world = await openTestRuntime({
    config: { plugins: { entries: { sync: leads } } },
    global: {
      sync: `
module.exports = { register(api) {
  api.on('gateway_start', async (event, ctx) => {
    const cron = ctx.getCron?.();
    const job = await cron.add({
      declarationKey: 'v1', name: 'sync', description: 'Syncs.', enabled: true,
      schedule: { kind: 'cron', expr: '0 3 * * *', tz: 'UTC' },
      sessionTarget: 'isolated', wakeMode: 'now', payload: { kind: 'agentTurn', text: 'Sync.' },
    });
    await cron.update(job.id, { enabled: false });
    const other = await cron.remove('someone-elses').catch((error) => error.message);
    mark(JSON.stringify([(await cron.list()).length, (await cron.list({ includeDisabled: true })).length, other]));
  });
} };`,
    },
  });
  await until(() => expect(world.marks).toHaveLength(1));
  expect(marksOf(world.marks)).toEqual([[0, 1, { removed: false }]]);
  const [state] = await world.runtime.schedule.list();
  expect(state?.job).toMatchObject({
    name: 'sync',
    isEnabled: false,
    by: { kind: 'plugin', pluginId: 'sync', declarationKey: 'v1' },
  });
});

it('a job of a plugin does not run any more once the plugin is off', async () => {
  await using world = await openTestRuntime({
    config: { model: 'replay/job', plugins: { entries: { scheduler: leads } } },
    plugins: { scheduler },
  });
  const { schedule, plugins } = world.runtime;
  await world.say('hello', [{ text: 'hi' }]);
  Object.assign(globalThis, { wantedKey: world.session.key });
  const { id } = JSON.parse((await plugins.findCommand('/later')?.run(world.session))?.text ?? '') as {
    id: string;
  };
  Reflect.deleteProperty(globalThis, 'wantedKey');
  await plugins.setEnabled('scheduler', false);
  const run = await (await schedule.runNow(id)).ended;
  expect(run).toMatchObject({ status: 'error' });
  expect(run.error).toContain('is not loaded');
});

const heart = `
module.exports = { register(api) {
  api.on('heartbeat_prompt_contribution', (event, ctx) => {
    mark(JSON.stringify(['asked', event.agentId, ctx.trigger, ctx.jobId]));
    return { prependContext: 'Disk is full.' };
  });
  api.registerCommand({
    name: 'beat', description: 'Beats.',
    handler: async () => ({ text: JSON.stringify(await api.runtime.system.runHeartbeatOnce({ reason: 'test' })) }),
  });
  api.registerCommand({
    name: 'now', description: 'Beats.',
    handler: async () => (api.runtime.system.requestHeartbeatNow({ reason: 'test' }), { text: 'asked' }),
  });
} };`;

it('a heartbeat turn reads what plugins contribute to it, and goes on in its own session', async () => {
  await using world = await openTestRuntime({
    config: {
      model: 'replay/job',
      schedule: { heartbeat: { everyMinutes: 30 } },
      plugins: { entries: { heart: leads } },
    },
    global: { heart },
  });
  const { schedule, plugins } = world.runtime;
  addModel(world, 'job', [{ text: 'The disk is full.' }, { text: 'NO_REPLY' }]);
  await schedule.start();
  expect(await schedule.get('heartbeat')).toMatchObject({ job: { by: { kind: 'heartbeat' } } });
  expect((await plugins.findCommand('/beat')?.run(world.session))?.text).toContain('"status":"ran"');
  expect((await plugins.findCommand('/beat')?.run(world.session))?.text).toContain('less than 30 seconds');
  await (
    await schedule.runNow('heartbeat')
  ).ended;
  const [second, first] = await schedule.history('heartbeat');
  expect([first?.summary, second?.summary]).toEqual(['The disk is full.', undefined]);
  expect(second?.sessionId).toBe(first?.sessionId);
  const report = await world.runtime.conversations.sessions.open(first?.sessionId ?? '');
  expect(report?.messages()).toHaveLength(4);
  expect(marksOf(world.marks)).toEqual(Array(2).fill(['asked', 'main', 'heartbeat', 'heartbeat']));
});

it('requestHeartbeatNow begins one, and where none are switched on the user is told why not', async () => {
  await using on = await openTestRuntime({
    config: {
      model: 'replay/job',
      schedule: { heartbeat: { everyMinutes: 30 } },
      plugins: { entries: { heart: leads } },
    },
    global: { heart },
  });
  addModel(on, 'job', [{ text: 'All is well.' }]);
  await on.runtime.schedule.start();
  await on.runtime.plugins.findCommand('/now')?.run(on.session);
  await until(async () => expect((await on.runtime.schedule.history('heartbeat'))[0]?.status).toBe('ok'));

  await using off = await openTestRuntime({
    config: { plugins: { entries: { heart: leads } } },
    global: { heart },
  });
  await off.runtime.plugins.findCommand('/now')?.run(off.session);
  await until(() =>
    expect(off.runtime.workspace.diagnostics().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('schedule.heartbeat.everyMinutes'),
    ),
  );
});
