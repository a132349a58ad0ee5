import { expect, it } from 'vitest';
import type { JobInput } from '../../../src/schedule/schedule.ts';
import { addModel, calls, resultsOf } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from '../channels/channelWorld.ts';
import { until } from '../../builders/until.ts';

const byUser = { kind: 'user' } as const;
const delivery = { mode: 'announce', channel: 'post', to: 'post:7' } as const;
const wish = (more: Partial<JobInput> = {}): JobInput => ({
  name: 'Nightly check',
  prompt: 'Check the log.',
  when: { every: '10m' },
  ...more,
});
const leads = { plugins: { entries: { ear: { hooks: { allowConversationAccess: true } } } } };

it('the answer of a job goes to whom the user named, without its keys, and plugins hear of it', async () => {
  await using world = await openChannelWorld({
    global: {
      ear: `module.exports = (api) => {
        api.on('message_sent', (event, ctx) => { if (ctx.channelId === 'post') mark(JSON.stringify([event.to, event.success])); });
        api.on('cron_changed', (event) => { if (event.action === 'finished') mark(JSON.stringify([event.delivered, event.deliveryStatus])); });
      };`,
    },
    config: { ...channelConfig(), ...leads },
  });
  const { schedule } = world.runtime;
  const key = `sk-${'abcDEF0123456789'.repeat(3)}`;
  addModel(world, 'post', [{ text: `All is fine, ${key}.` }, { text: 'NO_REPLY' }]);
  const { id } = await schedule.add(wish({ delivery }), byUser);
  const run = await (await schedule.runNow(id)).ended;
  expect(run).toMatchObject({ status: 'ok', deliveryStatus: 'delivered' });
  expect(world.post.delivered).toMatchObject([{ to: 'post:7', by: 'sendText' }]);
  expect(world.post.delivered[0]?.text).toContain('All is fine');
  expect(world.post.delivered[0]?.text).not.toContain(key);
  await until(() =>
    expect(world.marks).toEqual(expect.arrayContaining(['["post:7",true]', '[true,"delivered"]'])),
  );
  await (
    await schedule.runNow(id)
  ).ended;
  expect(world.post.delivered).toHaveLength(1);
});

it('a job that the user gave no delivery sends nothing, whatever the plugin that added it says', async () => {
  await using world = await openChannelWorld({
    global: {
      ear: `module.exports = (api) => api.on('gateway_start', async (event, ctx) => {
        const job = await ctx.getCron().add({ name: 'mine', schedule: { kind: 'every', everyMs: 600000 }, payload: { text: 'Go.' }, delivery: ${JSON.stringify(delivery)} });
        mark(job.id);
      });`,
    },
    config: { ...channelConfig(), ...leads },
  });
  const { schedule } = world.runtime;
  addModel(world, 'post', [{ text: 'Done.' }, { text: 'Done.' }]);
  await until(() => expect(world.marks).toHaveLength(1));
  const { id } = await schedule.add(wish(), byUser);
  for (const each of [world.marks[0] ?? '', id])
    expect(await (await schedule.runNow(each)).ended).not.toHaveProperty('deliveryStatus');
  expect(world.post.delivered).toEqual([]);
});

it('an answer that does not go out is told, and stays in the session of the job', async () => {
  await using world = await openChannelWorld();
  const { schedule, workspace } = world.runtime;
  addModel(world, 'post', [{ text: 'All is fine.' }, { text: 'Still fine.' }]);
  world.post.fails = new Error('no route');
  const { id } = await schedule.add(wish({ delivery }), byUser);
  const run = await (await schedule.runNow(id)).ended;
  expect(run).toMatchObject({ status: 'ok', summary: 'All is fine.', deliveryStatus: 'not-delivered' });
  expect(run.deliveryError).toContain('no route');
  expect(workspace.diagnostics().map(({ code }) => code)).toContain('job_not_delivered');
  await schedule.update(id, { delivery: { ...delivery, channel: 'pigeon' } });
  expect((await (await schedule.runNow(id)).ended).deliveryError).toContain('pigeon does not run here');
  await schedule.update(id, { delivery: 'none' });
  expect((await schedule.get(id)).job).not.toHaveProperty('delivery');
});

it('an agent that wants answers of a job sent asks, and the question says to whom', async () => {
  await using world = await openChannelWorld({
    config: { ...channelConfig(), tools: { alsoAllow: ['cron'] }, approvals: { mode: 'full' } },
    answer: 'allow-once',
    isRecorded: false,
  });
  const add = { action: 'add', message: 'Check.', every: '10m' };
  const turn = await world.say('Every ten minutes, please.', [
    calls('cron', { ...add, delivery: { ...delivery, accountId: 'default' } }),
    calls('cron', { ...add, delivery: { mode: 'announce' } }),
    { text: 'Done.' },
  ]);
  const asked = turn.events.flatMap((event) =>
    event.type === 'approval_requested' ? [event.request.description] : [],
  );
  expect(asked).toEqual(['every 10m · each answer is sent to post:7 by post, account default · Check.']);
  expect(resultsOf(turn, 'cron').map(({ isError }) => isError)).toEqual([false, true]);
  const [state] = await world.runtime.schedule.list();
  expect(state?.job.delivery).toEqual({ ...delivery, accountId: 'default' });
});
