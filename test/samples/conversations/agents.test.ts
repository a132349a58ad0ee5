import { describe, expect, it } from 'vitest';
import { createActingModel, works } from './actingModel.ts';
import { openConversation, talk } from './openConversation.ts';

const agents = {
  main: { instructions: 'You are the main one.', temperature: 0.2 },
  reviewer: {
    instructions: 'You review, and change nothing.',
    tools: { allow: ['read', 'grep'] },
    temperature: 0.7,
    maxTokens: 900,
  },
};
const namesOf = (tools: readonly { readonly name: string }[] = []) => tools.map(({ name }) => name).sort();

describe('a named agent', () => {
  it('answers with its own instructions and tools in the request, and in its own key', async () => {
    await using world = await openConversation({ config: { agents } });
    const session = world.runtime.conversations.create('reviewer');
    const model = createActingModel([{ text: 'Fine.' }]);
    await talk(world, 'review it', model, { session });
    const [request] = model.asked;
    expect(request?.systemPrompt).toContain('You review, and change nothing.');
    expect(request?.systemPrompt).not.toContain('You are the main one.');
    expect(namesOf(request?.tools)).toEqual(['grep', 'read']);
    expect(session.key).toMatch(/^agent:reviewer:vscode:/u);
  });

  it('cannot call a tool that it has not', async () => {
    await using world = await openConversation({ config: { agents } });
    const session = world.runtime.conversations.create('reviewer');
    const { events } = await talk(world, 'go', createActingModel([works('a'), { text: 'No.' }]), { session });
    const result = events.find((event) => event.type === 'tool_ended')?.result;
    expect(result).toMatchObject({ isError: true });
  });

  it('answers where a binding names it, with the model that the binding names', async () => {
    await using world = await openConversation({
      config: {
        agents,
        bindings: [
          { agentId: 'main', match: { channel: 'cli' } },
          { agentId: 'reviewer', match: { channel: 'vscode' }, model: 'replay/bound' },
        ],
      },
    });
    const { runtime } = world;
    const model = createActingModel([{ text: 'Fine.' }], { model: 'bound' });
    runtime.models.register(model);
    await talk(world, 'hi', model);
    expect(world.session.agentId).toBe('reviewer');
    expect(model.asked[0]?.systemPrompt).toContain('You review');
    expect(await runtime.conversations.prompt(runtime.conversations.create())).toMatchObject({
      model: { provider: 'replay', model: 'bound' },
    });
  });

  it('is refused by name where the config has none', async () => {
    await using world = await openConversation({ config: { agents } });
    expect(() => world.runtime.conversations.create('nobody')).toThrow(
      expect.objectContaining({ code: 'agent_unknown' }),
    );
  });
});

describe('settings of a request', () => {
  it('are those of the turn before the session, the agent and the general ones, each by itself', async () => {
    await using world = await openConversation({
      config: { agents, agent: { thinking: 'low', temperature: 1.5, maxTokens: 5_000 } },
    });
    const session = world.runtime.conversations.create('reviewer');
    const model = createActingModel(['a', 'b', 'c'].map((text) => ({ text })));
    await talk(world, 'one', model, { session });
    await world.runtime.conversations.setSettings(session, { temperature: 0.1 });
    await talk(world, 'two', model, { session, settings: { maxTokens: 100 } });
    await world.runtime.conversations.setSettings(session, { temperature: undefined });
    await talk(world, 'three', model, { session });
    const general = { thinking: 'low', temperature: 0.7, maxTokens: 900 };
    expect(model.asked.map(({ settings }) => settings)).toEqual([
      general,
      { thinking: 'low', temperature: 0.1, maxTokens: 100 },
      general,
    ]);
  });
});

describe('limits of the config', () => {
  const work = Array.from({ length: 5 }, (_, index) => works(`job ${String(index)}`));
  it.each([
    ['rounds', { maxRounds: 2 }, 'round_limit'],
    ['tool calls', { limits: { maxToolCalls: 1 } }, 'call_limit'],
    ['tokens', { limits: { maxTokens: 5 } }, 'token_limit'],
    ['money', { limits: { maxCost: 0.000001 } }, 'cost_limit'],
  ])('stop a turn: %s', async (_name, agent, code) => {
    await using world = await openConversation({ config: { agent } });
    const model = createActingModel(work, { cost: { input: 5, output: 5 } });
    const { outcome } = await talk(world, 'work', model);
    expect(outcome).toMatchObject({ status: 'failed', code });
    expect(world.session.messages().at(-1)?.role).toBe('toolResult');
  });
});
