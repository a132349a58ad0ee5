import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel } from './agentWorld.ts';

const config = {
  model: 'replay/config',
  agents: { main: { default: true }, helper: { model: 'replay/agent' }, bound: { model: 'replay/agent' } },
  bindings: [{ agentId: 'bound', match: { channel: 'vscode' }, model: 'replay/binding' }],
};

it('a session is answered by its own model, else that of the binding, of its agent, of the config', async () => {
  await using world = await openTestRuntime({ config });
  const { runtime } = world;
  for (const name of ['config', 'agent', 'binding', 'session']) addModel(world, name, [{ text: 'Hi.' }]);
  const answering = (agentId?: string) =>
    runtime.models.forSession(runtime.conversations.create(agentId)).info.model;
  expect([answering('main'), answering('helper'), answering('bound')]).toEqual([
    'config',
    'agent',
    'binding',
  ]);
  const session = runtime.conversations.create('bound');
  await session.setSettings({ model: 'replay/session' });
  expect(runtime.models.forSession(session).info.model).toBe('session');
});

it('a model that is not there is no reason to ask another one, but for the default of the config', async () => {
  await using world = await openTestRuntime({ config: { ...config, bindings: [] } });
  const { runtime } = world;
  expect(runtime.models.forSession(runtime.conversations.create('main'))).toBe(runtime.models.default());
  expect(() => runtime.models.forSession(runtime.conversations.create('helper'))).toThrow(
    expect.objectContaining({ code: 'model_unknown' }),
  );
});
