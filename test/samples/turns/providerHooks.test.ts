import { expect, it, onTestFinished } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import {
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
} from '../../builders/scriptedModelServer.ts';

/** A provider of one model with functions of its own, and a tool that is called `look`. */
async function openProvider(hooks: (baseUrl: string) => string) {
  const server = await startScriptedModelServer();
  onTestFinished(() => server.dispose());
  server.answerAll(() => textAnswer('Ahoy.'));
  const code = `module.exports = (api) => {
    api.registerProvider({ id: 'acme', envVars: [], auth: [],
      models: { baseUrl: '${server.baseUrl}', models: [{ id: 'one', contextWindow: 60000, maxTokens: 900 }] },
      ${hooks(server.baseUrl)} });
    api.registerTool({ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string', $comment: 'zebra' } } },
      execute: async () => ({ content: [{ type: 'text', text: 'seen' }] }) });
  };`;
  const world = await openTestRuntime({
    withoutRealBundled: true,
    isRecorded: false,
    global: { acme: code },
    answer: 'allow-once',
  });
  onTestFinished(() => world[Symbol.asyncDispose]());
  const say = (text: string) => world.say(text, [], { model: world.runtime.models.resolve('acme/one') });
  const bodyOf = (at: number) => server.requests[at]?.json as Readonly<Record<string, unknown>>;
  const textOf = (at: number): string => JSON.stringify(bodyOf(at)['messages']);
  const told = (): readonly string[] =>
    world.runtime.workspace
      .diagnostics()
      .flatMap(({ code: name, message }) => (name === 'plugin_provider_failed' ? [message] : []));
  return { server, world, say, bodyOf, textOf, told };
}

it("prepareExtraParams and extraParamsForTransport of a provider say what stands in its models' requests", async () => {
  const { say, bodyOf } = await openProvider(
    () => `
    prepareExtraParams: ({ modelId, extraParams }) => ({ ...extraParams, temperature: 0.3, topP: 0.9, extra_body: { asked: modelId } }),
    extraParamsForTransport: ({ transport, extraParams }) => ({ patch: { seed: transport === 'sse' && extraParams.topP === 0.9 ? 7 : 1 } }),`,
  );
  expect((await say('hi')).outcome).toMatchObject({ status: 'completed', text: 'Ahoy.' });
  expect(bodyOf(0)).toMatchObject({ temperature: 0.3, top_p: 0.9, seed: 7, asked: 'one' });
});

it('wrapStreamFn of a provider changes the body and the context of a request, and the answer comes through', async () => {
  const { say, server, bodyOf } = await openProvider(
    () => `
    wrapStreamFn: ({ streamFn }) => (model, context, options) => streamFn(model,
      { ...context, systemPrompt: context.systemPrompt + ' Be acme.' },
      { ...options, temperature: 0.1, onPayload: (payload) => { payload.acme = model.id; } }),`,
  );
  server.script(
    toolCallAnswer([{ id: 'c1', name: 'look', arguments: { at: 'x' } }]),
    textAnswer('Ahoy ', 'there.'),
  );
  const { outcome } = await say('hi');
  expect(outcome).toMatchObject({ status: 'completed', text: 'Ahoy there.' });
  for (const at of [0, 1]) {
    expect(bodyOf(at)).toMatchObject({ acme: 'one', temperature: 0.1 });
    expect(JSON.stringify(bodyOf(at)['messages'])).toContain('Be acme.');
  }
  expect(JSON.stringify(bodyOf(1)['messages'])).toContain('seen');
});

it('wrapStreamFn may change what an answer says', async () => {
  const { say } = await openProvider(
    () => `
    wrapStreamFn: ({ streamFn }) => async function* (model, context, options) {
      for await (const event of streamFn(model, context, options))
        yield event.type === 'text_delta' ? { ...event, delta: event.delta.toUpperCase() } : event;
    },`,
  );
  expect((await say('hi')).outcome).toMatchObject({ status: 'completed', text: 'AHOY.' });
});

it('sanitizeReplayHistory and validateReplayTurns of a provider say which history its models read', async () => {
  const { say, textOf } = await openProvider(
    () => `
    sanitizeReplayHistory: async ({ messages }) => messages.filter((each) => !JSON.stringify(each).includes('apples')),
    validateReplayTurns: ({ messages }) => [{ role: 'user', content: 'Begin.', timestamp: 0 }, ...messages],`,
  );
  await say('apples');
  await say('pears');
  expect(textOf(1)).not.toContain('apples');
  expect(textOf(1)).toMatch(/Begin\.[^]*pears/u);
});

it('buildReplayPolicy of a provider has the ids of calls written as its server takes them', async () => {
  const { say, server, textOf } = await openProvider(
    () =>
      `buildReplayPolicy: ({ modelApi }) => modelApi === 'openai-completions' ? { sanitizeToolCallIds: true, toolCallIdMode: 'strict' } : {},`,
  );
  server.script(
    toolCallAnswer([{ id: 'call_1-a', name: 'look', arguments: { at: 'x' } }]),
    textAnswer('Seen.'),
  );
  expect((await say('look')).outcome).toMatchObject({ status: 'completed', text: 'Seen.' });
  expect(textOf(1)).toContain('"tool_call_id":"call1a"');
  expect(textOf(1)).not.toContain('call_1-a');
});

it('normalizeToolSchemas of a provider says which parameters its models are told', async () => {
  const { say, bodyOf } = await openProvider(
    () =>
      `normalizeToolSchemas: ({ tools }) => tools.map((tool) => ({ ...tool, parameters: JSON.parse(JSON.stringify(tool.parameters, (key, value) => (value === 'zebra' ? undefined : value))) })),`,
  );
  await say('hi');
  expect(JSON.stringify(bodyOf(0)['tools'])).toContain('"look"');
  expect(JSON.stringify(bodyOf(0)['tools'])).not.toContain('zebra');
});

it('a function of a provider that fails is left out and named once, and the turn goes on', async () => {
  const { say, told, bodyOf } = await openProvider(
    () => `
    sanitizeReplayHistory: () => { throw new Error('no luck'); },
    prepareExtraParams: () => 'odd',
    validateReplayTurns: () => 'odd',
    wrapStreamFn: () => () => { throw new Error('no stream'); },`,
  );
  expect((await say('hi')).outcome).toMatchObject({ status: 'completed', text: 'Ahoy.' });
  expect((await say('hi')).outcome).toMatchObject({ status: 'completed', text: 'Ahoy.' });
  expect(bodyOf(1)['messages']).toBeDefined();
  expect(told().map((text) => text.split(':')[1])).toEqual([
    ' sanitizeReplayHistory failed, and requests go on without it',
    ' validateReplayTurns failed, and requests go on without it',
    ' wrapStreamFn failed, and requests go on without it',
  ]);
});

it('a failure of the server is told as it is, whatever a provider puts around it', async () => {
  const { say, server, told } = await openProvider(
    () => `wrapStreamFn: ({ streamFn }) => (...asked) => streamFn(...asked),`,
  );
  server.answerAll(() => statusAnswer(401, 'bad key'));
  expect((await say('hi')).outcome).toMatchObject({ status: 'failed', code: 'model_no_key' });
  expect(server.requests).toHaveLength(1);
  expect(told()).toEqual([]);
});
