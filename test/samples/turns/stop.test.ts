import { expect, it } from 'vitest';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const observer = `module.exports = (api) => {
  for (const hook of ['agent_end', 'session_end', 'gateway_stop']) api.on(hook, () => mark(hook));
};`;
const access = { plugins: { entries: { observer: { hooks: { allowConversationAccess: true } } } } };

it('cancels a running turn first, then ends sessions, then says that it stops, once', async () => {
  await using test = await openTestRuntime({ config: access, plugins: { observer } });
  const model = createHeldModel([['wait']]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  await Promise.all([test.runtime.stop('shutdown'), test.runtime.stop('restart')]);
  test.runtime.dispose();
  expect((await turn).outcome).toEqual({ status: 'cancelled' });
  expect(test.marks).toEqual(['agent_end', 'session_end', 'gateway_stop']);
});

it('leaves a turn open that ended with the runtime, so that it can be resumed; a cancelled one is closed', async () => {
  await using test = await openTestRuntime();
  const abort = new AbortController();
  const cancelled = createHeldModel([['wait']]);
  const first = test.say('one', [], { model: cancelled, signal: abort.signal });
  await cancelled.isWaiting;
  abort.abort();
  await first;
  expect(test.session.interruptedTurn()).toBeUndefined();

  const cutOff = createHeldModel([['wait']]);
  const second = test.say('two', [], { model: cutOff });
  await cutOff.isWaiting;
  await test.runtime.stop('shutdown');
  await second;
  expect(test.session.interruptedTurn()).toBeDefined();
});

it('lets whoever waits for a reload go when it stops', async () => {
  await using test = await openTestRuntime();
  const model = createHeldModel([['wait']]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  const reloaded = test.runtime.workspace.reload();
  await test.runtime.stop('shutdown');
  await Promise.all([reloaded, turn]);
});

it('ends commands while plugins still end, also those that want to go on', async () => {
  const hanging = `module.exports = (api) => api.on('gateway_stop', () => new Promise(() => {}), { timeoutMs: 60_000 });`;
  await using test = await openTestRuntime({
    plugins: { hanging },
    config: { tools: { exec: { security: 'full' } } },
    speed: 10,
    isRecorded: false,
  });
  const command = `sh -c "trap '' TERM; echo up; while :; do sleep 0.01; done"`;
  await test.say('go', [
    { toolCalls: [{ name: 'exec', arguments: { command, background: true } }] },
    { text: 'done' },
  ]);
  const [job] = test.runtime.tools.jobs.list();
  while (job?.output().text === '') await new Promise((resolve) => void job.onOutput(resolve));
  await test.runtime.stop('shutdown');
  expect(job?.end()).toMatchObject({ cause: 'killed' });
});
