import { expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel } from './agentWorld.ts';

const runs = (params: string) => `
module.exports = (api) => {
  api.registerCommand({
    name: 'embed',
    description: 'Runs an agent.',
    handler: async () => {
      try {
        return { text: JSON.stringify(await api.runtime.agent.runEmbeddedAgent(${params})) };
      } catch (error) {
        return { text: 'refused: ' + error.message };
      }
    },
  });
};`;

interface Answer {
  readonly payloads: readonly { readonly text: string; readonly isError?: boolean }[];
  readonly meta: { readonly agentMeta: { readonly sessionId: string; readonly provider: string } };
}

const config = {
  model: 'replay/embedded',
  plugins: { entries: { runner: { hooks: { allowConversationAccess: true } } } },
};

async function embed(world: TestRuntime, script: readonly object[]): Promise<string> {
  addModel(world, 'embedded', script);
  return (await world.runtime.plugins.findCommand('/embed')?.run(world.session))?.text ?? 'no command';
}

it("a plugin's runEmbeddedAgent really answers, in a session of its own", async () => {
  await using world = await openTestRuntime({
    files: { 'a.md': 'Twelve words.\n' },
    plugins: {
      runner: runs("{ prompt: 'Count.', sessionId: 'runner:task', extraSystemPrompt: 'Be short.' }"),
    },
    config,
  });
  const text = await embed(world, [
    { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
    { text: 'Twelve.', expect: { toolResult: 'Twelve words.' }, usage: { input: 10, output: 2 } },
  ]);
  const answer = JSON.parse(text) as Answer;
  expect(answer.payloads).toEqual([{ text: 'Twelve.' }]);
  expect(answer.meta.agentMeta).toMatchObject({ provider: 'replay', model: 'embedded' });
  const session = await world.runtime.conversations.sessions.open(answer.meta.agentMeta.sessionId);
  expect(session?.header.kind).toBe('subagent');
  expect(session?.id).not.toBe(world.session.id);
});

it('it has no tools where it asks for none', async () => {
  await using world = await openTestRuntime({
    files: { 'a.md': 'Twelve words.\n' },
    plugins: { runner: runs("{ prompt: 'Count.', disableTools: true }") },
    config,
  });
  const text = await embed(world, [
    { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
    { text: 'None.' },
  ]);
  const { meta } = JSON.parse(text) as Answer;
  const session = await world.runtime.conversations.sessions.open(meta.agentMeta.sessionId);
  expect(session?.messages()[2]).toMatchObject({ role: 'toolResult', isError: true });
});

it('it starts no agents, and asks under the name of the plugin', async () => {
  await using world = await openTestRuntime({
    plugins: { runner: runs("{ prompt: 'Write.' }") },
    config,
    answer: 'deny',
  });
  await embed(world, [
    { toolCalls: [{ name: 'sessions_spawn', arguments: { task: 'x' } }] },
    { toolCalls: [{ name: 'write', arguments: { path: 'a.md', content: 'x' } }] },
    { text: 'Done.' },
  ]);
  const titles = world.runtime.approvals.history().map(({ request }) => request.title);
  expect(titles).toEqual(['plugin runner: Write a.md']);
  const all = await world.runtime.conversations.sessions.summaries();
  expect(all.filter(({ kind }) => kind === 'subagent')).toHaveLength(1);
});

it('a plugin that may not read conversations is refused, with a diagnostic that fixes it', async () => {
  await using world = await openTestRuntime({
    plugins: { runner: runs("{ prompt: 'Count.' }") },
    config: { model: 'replay/embedded' },
  });
  expect(await embed(world, [{ text: 'Never.' }])).toMatch(/^refused: .*may not read conversations/u);
  const fixes = world.runtime.workspace
    .diagnostics()
    .filter(({ code }) => code === 'plugin_conversation_denied')
    .flatMap((each) => each.fixes ?? []);
  expect(fixes).toEqual([{ kind: 'allow-conversation-access', pluginId: 'runner' }]);
});

it('a plugin starts a run, waits for it, reads what was said, and removes its session', async () => {
  const starter = `
module.exports = (api) => {
  api.registerCommand({
    name: 'embed',
    description: 'Runs an agent.',
    handler: async () => {
      const { subagent } = api.runtime;
      const { runId, sessionKey } = await subagent.run({ message: 'Count.', sessionKey: 'task' });
      const { status } = await subagent.waitForRun({ runId });
      const { messages } = await subagent.getSessionMessages({ sessionKey });
      await subagent.deleteSession({ sessionKey });
      const after = await subagent.getSessionMessages({ sessionKey }).then(() => 'still there', () => 'gone');
      return { text: [status, messages.map(({ role }) => role), after].join(' ') };
    },
  });
};`;
  await using world = await openTestRuntime({ plugins: { runner: starter }, config, isRecorded: false });
  expect(await embed(world, [{ text: 'Twelve.' }])).toBe('ok user,assistant gone');
});

it('a plugin asks one question, and nothing of it is kept', async () => {
  await using world = await openTestRuntime({
    plugins: {
      runner: `
module.exports = (api) => {
  const ask = async (message) => {
    try {
      return (await api.runtime.subagent.complete({ agentId: 'main', message, extraSystemPrompt: 'Be short.' })).text;
    } catch (error) {
      return error.message;
    }
  };
  api.registerCommand({ name: 'embed', description: 'Asks.', handler: async () => ({ text: (await ask('Two?')) + ' ' + (await ask('Three?')) }) });
};`,
    },
    config,
  });
  const script = [
    { text: 'Two.', expect: { userText: 'Two?' } },
    { error: { code: 'model_unavailable', message: 'gone' } },
  ];
  const before = (await world.runtime.conversations.summaries()).length;
  expect(await embed(world, script)).toMatch(/^Two\. .*gone/u);
  expect(await world.runtime.conversations.summaries()).toHaveLength(before);
});
