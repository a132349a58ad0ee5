import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  startScriptedModelServer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../../builders/scriptedModelServer.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { openConversation, talk } from '../conversations/openConversation.ts';

let server: ScriptedModelServer;
beforeEach(async () => {
  server = await startScriptedModelServer();
  server.answerAll(() => textAnswer('Aye.'));
});
afterEach(() => server.dispose());

/** A runtime whose config has a provider `local` with a model `one`. */
async function openProvider(more: object = {}, model: object = {}, agent: object = {}): Promise<TestRuntime> {
  const local = {
    api: 'openai-compatible',
    baseUrl: server.baseUrl,
    models: [{ id: 'one', ...model }],
    ...more,
  };
  return await openConversation({
    config: { agent, models: { providers: { local } } },
    global: {
      watcher: `module.exports = (api) => api.on('agent_turn_prepare', (_event, ctx) => mark(String(ctx.contextWindowReferenceTokens)));`,
    },
    adjustHost: (host) => ({ ...host, env: { ...host.env, LOCAL_KEY: 'the-key' } }),
  });
}

describe('a provider of models', () => {
  it('models.providers.*.api is the protocol that it is asked by', async () => {
    const pathsOf = async (api: string): Promise<readonly string[]> => {
      const before = server.requests.length;
      await using world = await openProvider({ api, apiKey: { env: 'LOCAL_KEY' } });
      await talk(world, 'hi', world.runtime.models.resolve('local/one'));
      return server.requests.slice(before).map(({ path }) => path);
    };
    expect(await pathsOf('openai-compatible')).toEqual(['/v1/chat/completions']);
    expect(await pathsOf('anthropic')).toEqual(expect.arrayContaining(['/v1/messages']));
  });

  it('models.providers.*.baseUrl is where it is', async () => {
    await using world = await openProvider();
    const { outcome } = await talk(world, 'hi', world.runtime.models.resolve('local/one'));
    expect(outcome).toEqual({ status: 'completed', text: 'Aye.' });
  });

  it('models.providers.*.apiKey is where its key is kept', async () => {
    await using world = await openProvider({ apiKey: { env: 'LOCAL_KEY' } });
    await talk(world, 'hi', world.runtime.models.resolve('local/one'));
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer the-key');
  });

  it('models.providers.*.headers go with every request', async () => {
    await using world = await openProvider({ headers: { 'x-team': 'blue' } });
    await talk(world, 'hi', world.runtime.models.resolve('local/one'));
    expect(server.requests[0]?.headers['x-team']).toBe('blue');
  });

  it("models.providers.*.models.*.id is the provider's name of the model", async () => {
    await using world = await openProvider();
    await talk(world, 'hi', world.runtime.models.resolve('local/one'));
    expect(server.requests[0]?.body?.model).toBe('one');
  });

  it('models.providers.*.models.*.name is what people read', async () => {
    await using world = await openProvider({}, { name: 'Number One' });
    expect(world.runtime.models.resolve('local/one').info.name).toContain('Number One');
  });

  it('models.providers.*.models.*.contextWindow is what plugins are told that a turn may fill', async () => {
    await using world = await openProvider({}, { contextWindow: 9_000 });
    await talk(world, 'hi', world.runtime.models.resolve('local/one'));
    expect(world.marks).toEqual(['9000']);
  });

  it('models.providers.*.models.*.cost is what a turn is charged', async () => {
    server.answerAll(() => toolCallAnswer([{ id: 'a', name: 'work', arguments: { on: 'it' } }]));
    const cost = { input: 5, output: 5 };
    await using world = await openProvider({}, { cost }, { limits: { maxCost: 0.000001 } });
    const { outcome } = await talk(world, 'work', world.runtime.models.resolve('local/one'));
    expect(outcome).toMatchObject({ status: 'failed', code: 'cost_limit' });
    expect(server.requests).toHaveLength(1);
  });
});
