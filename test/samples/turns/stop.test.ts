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

it('lets whoever waits for a reload go when it stops', async () => {
  await using test = await openTestRuntime();
  const model = createHeldModel([['wait']]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  const reloaded = test.runtime.reload();
  await test.runtime.stop('shutdown');
  await Promise.all([reloaded, turn]);
});
