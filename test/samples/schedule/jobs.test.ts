import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/host/ports.ts';
import type { JobInput } from '../../../src/schedule/schedule.ts';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel, calls, resultsOf, spawns, textIn } from '../agents/agentWorld.ts';
import { createActingModel } from '../conversations/actingModel.ts';
import { createShiftedClock, type ShiftedClock } from './shiftedClock.ts';
import { until } from '../../builders/until.ts';

const minute = 60_000;
const byUser = { kind: 'user' } as const;
const wish = (more: Partial<JobInput> = {}): JobInput => ({
  name: 'Nightly check',
  prompt: 'Check the log.',
  when: { every: '10m' },
  ...more,
});
const config = { model: 'replay/job' };
const withTool = { tools: { alsoAllow: ['cron'] } };

const waitFor = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

async function openWithClock(
  options: Parameters<typeof openTestRuntime>[0] = {},
): Promise<TestRuntime & { readonly clock: ShiftedClock }> {
  let clock: ShiftedClock | undefined;
  const world = await openTestRuntime({
    files: { 'log.md': 'day one\n' },
    config,
    ...options,
    adjustHost: (host) => ({ ...host, clock: (clock ??= createShiftedClock(host.clock)) }),
  });
  if (clock === undefined) throw new Error('no clock');
  return Object.assign(world, { clock });
}

it('a job that is due works in a session of its own, with its agent, and keeps what came of it', async () => {
  await using world = await openWithClock();
  const { schedule, conversations, turns } = world.runtime;
  addModel(world, 'job', [
    calls('read', { path: 'log.md' }),
    { text: 'Day one is fine.', usage: { input: 30, output: 4 } },
  ]);
  await schedule.start();
  const { id } = await schedule.add(wish(), byUser);
  await until(async () => {
    const runs = await schedule.history(id);
    if (runs.length === 0) world.clock.shift(minute);
    expect(runs[0]?.status).toBe('ok');
  });
  const [run] = await schedule.history(id);
  expect(run).toMatchObject({ kind: 'due', summary: 'Day one is fine.', model: 'replay/job' });
  expect(run?.tokens).toBeGreaterThan(0);
  const session = await conversations.sessions.open(run?.sessionId ?? '');
  expect(session?.name()).toBe('Nightly check');
  expect(session?.messages()[0]).toMatchObject({ role: 'user', content: [{ text: 'Check the log.' }] });
  expect(await turns.traces.get(run?.runId ?? '')).toBeDefined();
});

it('what a job would change waits as a review, and happens once a person allows it', async () => {
  await using world = await openTestRuntime({ files: { 'log.md': 'day one\n' }, config });
  const { schedule, approvals } = world.runtime;
  addModel(world, 'job', [calls('write', { path: 'log.md', content: 'day two\n' }), { text: 'Written.' }]);
  const { id } = await schedule.add(wish(), byUser);
  const { ended } = await schedule.runNow(id);
  await until(() => expect(approvals.pending()).toHaveLength(1));
  const [request] = approvals.pending();
  expect(request).toMatchObject({
    title: 'scheduled job "Nightly check": Write log.md',
    who: 'scheduled job "Nightly check"',
    timeoutMs: 7 * 24 * 60 * minute,
  });
  expect(await readFile(join(world.workspace, 'log.md'), 'utf8')).toBe('day one\n');
  approvals.noteShownWhole(request?.id ?? '', 'call');
  approvals.resolve(request?.id ?? '', 'allow-once', 'chat');
  expect(await ended).toMatchObject({ status: 'ok' });
  expect(await readFile(join(world.workspace, 'log.md'), 'utf8')).toBe('day two\n');
});

it('runs that wait for their reviews hold no job up', async () => {
  await using world = await openTestRuntime({ files: { 'log.md': 'day one\n' }, config });
  const { schedule, approvals } = world.runtime;
  await schedule.start();
  const write = calls('write', { path: 'log.md', content: 'day two\n' });
  addModel(world, 'job', [write, write, write, { text: 'Looked.' }]);
  const runs = [];
  for (let number = 1; number <= 3; number += 1) {
    const { id } = await schedule.add(wish({ name: `writer ${String(number)}` }), byUser);
    runs.push(await schedule.runNow(id));
    await until(() => expect(approvals.pending()).toHaveLength(number));
  }
  const soon = new Date(Date.now() + 300).toISOString();
  const { id } = await schedule.add(wish({ when: { at: soon } }), byUser);
  await until(async () => expect((await schedule.get(id)).last?.status).toBe('ok'));
  expect(approvals.pending()).toHaveLength(3);
});

it('with schedule.questions deny nothing waits: it is refused, and the job goes on', async () => {
  await using world = await openTestRuntime({
    files: { 'log.md': 'day one\n' },
    config: { ...config, schedule: { questions: 'deny' } },
  });
  const { schedule, approvals } = world.runtime;
  addModel(world, 'job', [
    calls('write', { path: 'log.md', content: 'day two\n' }),
    { text: 'Refused.', expect: { toolResult: 'nobody can answer' } },
  ]);
  const { id } = await schedule.add(wish(), byUser);
  expect(await (await schedule.runNow(id)).ended).toMatchObject({ status: 'ok', summary: 'Refused.' });
  expect(approvals.pending()).toEqual([]);
  expect(await readFile(join(world.workspace, 'log.md'), 'utf8')).toBe('day one\n');
});

it('a run stops at its budget, the lower of the config and the job', async () => {
  await using world = await openTestRuntime({
    files: { 'log.md': 'day one\n' },
    config: { ...config, schedule: { maxTokens: 1_000 } },
  });
  const { schedule } = world.runtime;
  addModel(world, 'job', [
    { ...calls('read', { path: 'log.md' }), usage: { input: 80, output: 40 } },
    { text: 'Too late.' },
  ]);
  const { id } = await schedule.add(wish({ limits: { maxTokens: 100 } }), byUser);
  const run = await (await schedule.runNow(id)).ended;
  expect(run).toMatchObject({ status: 'error', tokens: 120 });
  expect(run.error).toContain('the limit of one turn is 100');
});

it.each([
  ['money, by the config', { schedule: { maxCost: 0.000_1 } }, {}, 'limit of one turn is $0.0001'],
  ['money, by the job', {}, { maxCost: 0.000_1 }, 'limit of one turn is $0.0001'],
  ['time, by the config', { schedule: { maxMinutes: 1 } }, {}, '1 minute'],
  ['time, by the job', {}, { maxMs: minute }, '1 minute'],
])('a run stops at its budget of %s', async (_name, more, limits, error) => {
  await using world = await openTestRuntime({
    files: { 'log.md': 'day one\n' },
    config: { ...config, ...more },
    speed: 60,
  });
  const { schedule, models, host } = world.runtime;
  const model = createActingModel(
    [
      {
        ...calls('read', { path: 'log.md' }),
        usage: { input: 80, output: 40 },
        ...(error === '1 minute' ? { during: () => waitFor(host.clock, 2 * minute) } : {}),
      },
      { text: 'Too late.' },
    ],
    { provider: 'replay', model: 'job', cost: { input: 5, output: 5 } },
  );
  models.register(model);
  const { id } = await schedule.add(wish({ limits }), byUser);
  const run = await (await schedule.runNow(id)).ended;
  expect(run).toMatchObject({ status: 'error' });
  expect(run.error).toContain(error);
});

it('agents that a run starts work on its budget, and count to what it used', async () => {
  await using world = await openTestRuntime({ config });
  const { schedule } = world.runtime;
  const costs = { usage: { input: 40, output: 20 } };
  addModel(world, 'job', [
    { ...spawns('Do it for me.'), ...costs },
    { ...calls('session_status', {}), ...costs },
    { text: 'Too late.', ...costs },
    { text: 'Too late, too.', ...costs },
  ]);
  const { id } = await schedule.add(wish({ limits: { maxTokens: 100 } }), byUser);
  const run = await (await schedule.runNow(id)).ended;
  expect(run).toMatchObject({ status: 'error', tokens: 120 });
  expect(run.error).toContain('the limit of one turn and all that it starts is 100');
});

it('no job runs in a workspace that is not trusted, or where the config switches the schedule off', async () => {
  await using untrusted = await openTestRuntime({ config, isTrusted: false });
  const job = await untrusted.runtime.schedule.add(wish(), byUser);
  await expect(untrusted.runtime.schedule.runNow(job.id)).rejects.toThrow('not trusted');
  await using off = await openTestRuntime({ config: { ...config, schedule: { enabled: false } } });
  const other = await off.runtime.schedule.add(wish(), byUser);
  await expect(off.runtime.schedule.runNow(other.id)).rejects.toThrow('schedule.enabled');
});

it('adding a job with the tool cron asks, and what was denied is not there', async () => {
  await using world = await openTestRuntime({ answer: 'deny', config: withTool });
  const adds = calls('cron', { action: 'add', name: 'spy', message: 'Look.', every: '1h' });
  const turn = await world.say('plan it', [adds, { text: 'done' }]);
  const asked = turn.events.filter((event) => event.type === 'approval_requested');
  expect(asked).toMatchObject([{ request: { title: 'Schedule the job "spy"' } }]);
  expect(await world.runtime.schedule.list()).toEqual([]);
});

it('an agent adds, lists, changes and removes jobs of its own agent with the tool cron', async () => {
  await using world = await openTestRuntime({ answer: 'allow-once', config: withTool });
  const adds = calls('cron', {
    action: 'add',
    name: 'watch',
    message: 'Look.',
    cron: '0 9 * * 1-5',
    tz: 'UTC',
  });
  await world.say('plan it', [adds, { text: 'done' }]);
  const [state] = await world.runtime.schedule.list();
  const { id = '' } = state?.job ?? {};
  expect(state?.job).toMatchObject({ name: 'watch', agentId: 'main', by: { kind: 'agent' }, missed: 'once' });
  await world.say('pause it', [
    calls('cron', { action: 'update', jobId: id, enabled: false }),
    { text: 'ok' },
  ]);
  const turn = await world.say('list', [calls('cron', { action: 'list' }), { text: 'ok' }]);
  expect(textIn(resultsOf(turn, 'cron')[0])).toContain('"watch", 0 9 * * 1-5 (UTC), paused');
  await world.say('drop it', [calls('cron', { action: 'remove', jobId: id }), { text: 'ok' }]);
  expect(await world.runtime.schedule.list()).toEqual([]);
});

it('an update by the tool cron changes what it names, or is refused: never a yes that changes nothing', async () => {
  await using world = await openTestRuntime({ answer: 'allow-once', config: withTool });
  const { schedule } = world.runtime;
  const { id } = await schedule.add(wish({ when: { cron: '0 9 * * *', tz: 'UTC' } }), byUser);
  const update = (more: object): object => calls('cron', { action: 'update', jobId: id, ...more });
  const turn = await world.say('change it', [
    update({ tz: 'Europe/Vienna' }),
    update({ deleteAfterRun: true }),
    update({ session: 'current' }),
    update({}),
    { text: 'done' },
  ]);
  const asked = turn.events.filter((event) => event.type === 'approval_requested');
  expect(asked).toHaveLength(2);
  const { job } = await schedule.get(id);
  expect(job).toMatchObject({ when: { expr: '0 9 * * *', tz: 'Europe/Vienna' }, deleteAfterRun: true });
  const said = resultsOf(turn, 'cron').map(textIn);
  expect(said[2]).toContain('the session of a job can not be changed');
  expect(said[3]).toContain('nothing to change');
});

it('the tool cron is offered only where the user names it', async () => {
  await using world = await openTestRuntime();
  const { tools } = world.runtime;
  expect(tools.catalogFor(world.session).hidden()).toContainEqual(
    expect.objectContaining({ name: 'cron', reason: expect.stringContaining('optional') as unknown }),
  );
});

it('in mode full adding or changing a job by the tool cron still asks: a job outlives the turn', async () => {
  const full = { ...withTool, approvals: { mode: 'full' } };
  await using world = await openTestRuntime({ answer: 'deny', config: full });
  const { schedule } = world.runtime;
  const { id } = await schedule.add(wish(), byUser);
  const adds = calls('cron', { action: 'add', name: 'spy', message: 'Look.', every: '1h' });
  const changes = calls('cron', { action: 'update', jobId: id, message: 'Send it away.' });
  const turn = await world.say('plan it', [adds, changes, { text: 'done' }]);
  const asked = turn.events.filter((event) => event.type === 'approval_requested');
  expect(asked.map(({ request }) => request.title)).toEqual([
    'Schedule the job "spy"',
    'Change the job "Nightly check"',
  ]);
  expect((await schedule.list()).map(({ job }) => job.prompt)).toEqual(['Check the log.']);
});

it('in mode full a job that runs another one still asks: they could start each other for ever', async () => {
  const full = {
    ...withTool,
    model: 'replay/job',
    approvals: { mode: 'full' },
    schedule: { questions: 'deny' },
  };
  await using world = await openTestRuntime({ config: full });
  const { schedule } = world.runtime;
  const first = await schedule.add(wish(), byUser);
  const second = await schedule.add(wish({ name: 'Other' }), byUser);
  addModel(world, 'job', [
    calls('cron', { action: 'run', jobId: second.id }),
    { text: 'Refused.', expect: { toolResult: 'nobody can answer' } },
  ]);
  expect(await (await schedule.runNow(first.id)).ended).toMatchObject({ status: 'ok', summary: 'Refused.' });
  expect(await schedule.history(second.id)).toEqual([]);
});

it('a job that is due in a minute runs once a real minute has passed, by the clock of the machine', async () => {
  await using world = await openTestRuntime({ config });
  const { schedule, host } = world.runtime;
  addModel(world, 'job', [{ text: 'On time.' }]);
  await schedule.start();
  const before = host.clock.now();
  const { id } = await schedule.add(wish({ when: { at: '1m' } }), byUser);
  await until(async () => {
    const [run] = await schedule.history(id);
    expect(run).toMatchObject({ status: 'ok', summary: 'On time.' });
    expect((run?.startedAt ?? 0) - before).toBeGreaterThanOrEqual(minute);
  });
});
