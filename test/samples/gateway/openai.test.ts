import { OpenAI } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, type TestGateway } from '../../builders/openGateway.ts';
import { gatewayToken } from '../../builders/openTestRuntime.ts';
import {
  hangingAnswer,
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../../builders/scriptedModelServer.ts';

let server: ScriptedModelServer;
let gateway: TestGateway;
let client: OpenAI;

const model = 'loopback/scripted';
const hello = [{ role: 'user' as const, content: 'Hello?' }];

beforeEach(async () => {
  server = await startScriptedModelServer();
  const providers = {
    loopback: {
      api: 'openai-compatible',
      baseUrl: server.baseUrl,
      models: [{ id: 'scripted', name: 'Scripted', imageInput: true }],
    },
  };
  gateway = await openGateway({
    config: {
      model,
      models: { providers },
      plugins: { entries: { gate: { hooks: { allowConversationAccess: true } } } },
    },
    global: {
      gate: `module.exports = (api) => api.on('before_agent_run', ({ prompt }) =>
      prompt.includes('forbidden') ? { outcome: 'block', reason: 'r', message: 'not that' } : { outcome: 'pass' });`,
    },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gatewayToken, maxRetries: 0 });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await server.dispose();
});

describe("OpenAI's own client", () => {
  it('lists agents and models', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['openclaw:main', model]));
  });

  it('looks up one of them by its name', async () => {
    for (const id of ['openclaw', 'openclaw:main', 'openclaw/main', model])
      expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model' });
    for (const id of ['openclaw:nobody', 'nobody/nothing', '../../mcp'])
      await expect(client.models.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'model_unknown' });
    expect((await gateway.ask(`/v1/models/${model}`)).status).toBe(200);
    expect((await gateway.ask(`/v1/models/${model}`, { token: undefined })).status).toBe(401);
  });

  it('asks a model, with nothing of the agent in between', async () => {
    server.script(textAnswer('Aye.'));
    const messages = [{ role: 'system' as const, content: 'Be short.' }, ...hello];
    const answer = await client.chat.completions.create({ model, messages, max_completion_tokens: 9 });
    expect(answer.choices).toMatchObject([{ message: { content: 'Aye.' }, finish_reason: 'stop' }]);
    expect(server.requests[0]?.body).toMatchObject({
      messages: [{ content: 'Be short.' }, { content: 'Hello?' }],
    });
    expect(server.requests[0]?.body?.tools ?? []).toEqual([]);
  });

  it('leaves a trace of what became of it, which tells of no agent', async () => {
    const { traces } = gateway.runtime.turns;
    server.script(textAnswer('Aye.'), statusAnswer(400, 'too long'));
    await client.chat.completions.create({ model, messages: hello });
    const answered = await traces.last();
    expect(answered).toMatchObject({
      status: 'completed',
      lines: [
        { kind: 'message', outcome: 'asked' },
        { kind: 'model', outcome: 'answered', provider: 'loopback', model: 'scripted' },
      ],
    });
    await expect(client.chat.completions.create({ model, messages: hello })).rejects.toThrow();
    const failed = await traces.last();
    expect(failed).toMatchObject({
      status: 'failed',
      lines: [{ outcome: 'asked' }, { kind: 'model', outcome: 'failed' }],
    });
    expect(failed?.error).toContain('too long');
    expect(JSON.stringify([answered, failed])).not.toContain('Hello?');
  });

  it('streams, and is handed the calls of its own tools', async () => {
    server.script(toolCallAnswer([{ name: 'weather', arguments: { city: 'Bonn' } }]));
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const stream = await client.chat.completions.create({
      model,
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'weather', parameters } }],
    });
    const calls: unknown[] = [];
    const ends: unknown[] = [];
    for await (const { choices } of stream) {
      calls.push(...(choices[0]?.delta.tool_calls ?? []));
      if (choices[0]?.finish_reason != null) ends.push(choices[0].finish_reason);
    }
    expect(calls).toMatchObject([{ function: { name: 'weather', arguments: '{"city":"Bonn"}' } }]);
    expect(ends).toEqual(['tool_calls']);
  });

  it("runs an agent's turn, streamed and at once, and goes on with a conversation that it names", async () => {
    server.script(textAnswer('One ', 'two.'), textAnswer('Three.'));
    const asked = { model: 'openclaw:main', user: 'thread-1', messages: hello };
    let text = '';
    for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true }))
      text += choices[0]?.delta.content ?? '';
    expect(text).toBe('One two.');
    const next = await client.chat.completions.create({
      ...asked,
      messages: [{ role: 'user', content: 'And?' }],
    });
    expect(next.choices[0]?.message.content).toBe('Three.');
    expect(server.requests[1]?.body?.messages.map(({ content }) => JSON.stringify(content)).join()).toContain(
      'One two.',
    );
    expect(server.requests[0]?.body?.tools?.map((tool) => tool.function.name)).toContain('read');
    expect(await gateway.runtime.conversations.summaries()).toHaveLength(1);
  });

  it('hands the image of the last message to the agent', async () => {
    server.script(textAnswer('A cat.'));
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    await client.chat.completions.create({
      model: 'openclaw',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: image } },
          ],
        },
      ],
    });
    expect(JSON.stringify(server.requests[0]?.body?.messages.at(-1))).toContain(image);
  });

  it('is refused tools of its own with an agent, and is told what to do', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'weather' } }];
    await expect(
      client.chat.completions.create({ model: 'openclaw', messages: hello, tools }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('leave tools out') as unknown });
    server.script(textAnswer('Aye.'));
    await client.chat.completions.create({ model: 'openclaw', messages: hello, tools: [] });
  });

  it('hears what the turn of an agent has used, and its answer apart from the words before a tool call', async () => {
    const look = toolCallAnswer([{ name: 'read', arguments: { path: 'a.md' } }], { text: 'I look.' });
    const used = (prompt_tokens: number, completion_tokens: number) =>
      ({ usage: { prompt_tokens, completion_tokens } }) as const;
    const script = (): void =>
      server.script(
        { steps: [...look.steps.slice(0, -1), used(10, 2), { mark: true }] },
        { steps: [...textAnswer('It ', 'says x.').steps.slice(0, -1), used(30, 4), { mark: true }] },
      );
    script();
    const asked = { model: 'openclaw', messages: hello };
    const whole = await client.chat.completions.create(asked);
    expect(whole.choices[0]?.message.content).toBe('It says x.');
    expect(whole.usage).toEqual({ prompt_tokens: 40, completion_tokens: 6, total_tokens: 46 });
    script();
    let text = '';
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    for await (const chunk of await client.chat.completions.create({ ...asked, ...options })) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (chunk.choices.length === 0) expect(chunk.usage).toMatchObject({ total_tokens: 46 });
    }
    expect(text).toBe('I look.\n\nIt says x.');
  });

  it('brings what was said before into the conversation that it names, where that is new', async () => {
    server.script(textAnswer('One.'), textAnswer('Two.'));
    const earlier = [
      { role: 'user', content: 'My boat is red.' },
      { role: 'assistant', content: 'Noted.' },
    ] as const;
    const asked = { model: 'openclaw', user: 'thread-2', messages: [...earlier, ...hello] };
    await client.chat.completions.create(asked);
    await client.chat.completions.create(asked);
    const read = server.requests.map(
      ({ body }) => JSON.stringify(body?.messages).split('My boat is red.').length - 1,
    );
    // What the first one brought is in the session, and comes no second time.
    expect(read).toEqual([1, 1]);
  });

  it('hears of an answer by the Responses API that its limit cut off', async () => {
    const cut = { steps: [{ text: 'Once upon' }, { finish: 'length' }, { mark: true as const }] } as const;
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    server.script(cut, cut, cut);
    const asked = { model, input: 'Hello?', max_output_tokens: 2 };
    expect(await client.responses.create(asked)).toMatchObject(incomplete);
    expect(await client.responses.create({ ...asked, model: 'openclaw' })).toMatchObject(incomplete);
    const events: unknown[] = [];
    for await (const event of await client.responses.create({ ...asked, stream: true })) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: incomplete });
  });

  it('speaks the Responses API, too', async () => {
    server.script(textAnswer('Aye.'), textAnswer('Aye ', 'aye.'));
    const whole = await client.responses.create({ model, instructions: 'Be short.', input: 'Hello?' });
    expect(whole.output_text).toBe('Aye.');
    const events: string[] = [];
    let text = '';
    for await (const event of await client.responses.create({
      model: 'openclaw',
      input: 'Hello?',
      stream: true,
    })) {
      events.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expect(text).toBe('Aye aye.');
    expect(events[0]).toBe('response.created');
    expect(events.at(-1)).toBe('response.completed');
  });

  it('is told what is wrong', async () => {
    const ask = (asked: object): Promise<unknown> =>
      client.chat.completions.create({ model, messages: hello, ...asked } as Parameters<
        typeof client.chat.completions.create
      >[0]);
    await expect(ask({ model: 'nobody/nothing' })).rejects.toMatchObject({ status: 404 });
    await expect(ask({ model: 'openclaw:nobody' })).rejects.toMatchObject({ status: 404 });
    for (const unknown of ['nobody/nothing', 'openclaw:nobody'])
      await expect(
        client.responses.create({ model: unknown, input: 'Hello?', stream: true }),
      ).rejects.toMatchObject({ status: 404 });
    await expect(ask({ messages: [] })).rejects.toMatchObject({ status: 400 });
    await expect(ask({ temperature: 7 })).rejects.toMatchObject({ status: 400 });
    await expect(ask({ n: 2 })).rejects.toMatchObject({ status: 400 });
    await expect(ask({ messages: [{ role: 'user', content: 5 }] })).rejects.toMatchObject({ status: 400 });
    await expect(
      client.responses.create({ model, input: 'And?', previous_response_id: 'resp_1' }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('No answers are stored') as unknown,
    });
    expect(server.requests).toEqual([]);
    await expect(
      ask({ model: 'openclaw', messages: [{ role: 'user', content: 'forbidden' }] }),
    ).rejects.toMatchObject({ status: 403 });
    const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'wrong', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
  });

  it('does not ask an agent again by itself, after Stop or a failure of its model', async () => {
    const asking = client.withOptions({ maxRetries: 2 });
    const { conversations } = gateway.runtime;
    const ask = (): Promise<unknown> =>
      asking.chat.completions.create({ model: 'openclaw', messages: hello });
    const respond = (): Promise<unknown> => asking.responses.create({ model: 'openclaw', input: 'Hello?' });
    for (const [at, each] of [ask, respond].entries()) {
      server.script(hangingAnswer('Wait '));
      const stopped = expect(each()).rejects.toMatchObject({
        status: 403,
        code: 'cancelled',
        type: 'api_error',
      });
      await expect.poll(() => server.requests.length).toBe(at * 2 + 1);
      conversations.stopTurn(conversations.runningTurns()[0]?.session.id ?? '');
      await stopped;
      server.script(statusAnswer(401, 'no key'));
      await expect(each()).rejects.toMatchObject({ status: 500 });
    }
    expect(server.requests).toHaveLength(4);
  });

  it('does not ask a model again that has been asked again already', async () => {
    server.answerAll(() => statusAnswer(401, 'no key'));
    const asking = client.withOptions({ maxRetries: 2 });
    await expect(asking.chat.completions.create({ model, messages: hello })).rejects.toMatchObject({
      status: 500,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('ends the turn when it leaves', async () => {
    server.script(hangingAnswer('Wait '));
    const stream = await client.chat.completions.create({ model: 'openclaw', messages: hello, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Wait ') break;
    await server.waitForAbandoned(1);
    await expect.poll(() => gateway.runtime.turns.running()).toBe(0);
  });
});

it('goes on with the session that a pause has put in the place of the one before', async () => {
  let passedMs = 0;
  const { baseUrl } = server;
  const loopback = { api: 'openai-compatible', baseUrl, models: [{ id: 'scripted', name: 'Scripted' }] };
  await using later = await openGateway({
    config: {
      model,
      models: { providers: { loopback } },
      session: { reset: { mode: 'idle', idleMinutes: 60 } },
    },
    adjustHost: (host) => ({
      ...host,
      clock: { ...host.clock, now: () => host.clock.now() + passedMs },
    }),
  });
  const openai = new OpenAI({ baseURL: `${later.url}/v1`, apiKey: gatewayToken, maxRetries: 0 });
  const say = async (content: string): Promise<string> => {
    server.script(textAnswer('Aye.'));
    const asked = { model: 'openclaw', user: 'thread', messages: [{ role: 'user' as const, content }] };
    await openai.chat.completions.create(asked);
    return JSON.stringify(server.requests.at(-1)?.body?.messages);
  };
  await say('Before the pause');
  passedMs = 7_200_000;
  expect(await say('After the pause')).not.toContain('Before the pause');
  expect(await say('And then?')).toContain('After the pause');
});

it('lets a guard of third parties ask a model for its judgement, and that one fails open without the gateway', async () => {
  const guard = `module.exports = (api) => {
    let port;
    api.on('gateway_start', (event) => { port = event.port; });
    api.on('before_tool_call', async ({ params }) => {
      try {
        const answer = await fetch('http://127.0.0.1:' + port + '/v1/chat/completions', {
          method: 'POST',
          headers: { authorization: 'Bearer ' + process.env.TEST_GATEWAY_TOKEN, 'content-type': 'application/json' },
          body: JSON.stringify({ model: '${model}', messages: [{ role: 'user', content: 'Is this safe? ' + JSON.stringify(params) }] }),
        });
        const { choices } = await answer.json();
        if (choices[0].message.content.includes('UNSAFE')) return { block: true, blockReason: 'judged unsafe' };
      } catch { mark('open'); }
    });
  };`;
  process.env['TEST_GATEWAY_TOKEN'] = gatewayToken;
  const providers = {
    loopback: {
      api: 'openai-compatible',
      baseUrl: server.baseUrl,
      models: [{ id: 'scripted', name: 'Scripted' }],
    },
  };
  const config = { model, models: { providers } };
  const files = { 'a.md': 'x\n' };
  const script = [{ toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] }, { text: 'Done.' }];
  await using guarded = await openGateway({ config, files, global: { guard }, isRecorded: false });
  server.script(textAnswer('UNSAFE'));
  const turn = await guarded.say('Read a.md', script);
  expect(JSON.stringify(turn.events)).toContain('judged unsafe');
  await guarded.runtime.gateway.stop();
  await expect
    .poll(() => guarded.runtime.plugins.plugins().find(({ id }) => id === 'guard')?.status)
    .toBe('loaded');
  const open = await guarded.say('Read a.md again', script);
  expect(JSON.stringify(open.events)).not.toContain('judged unsafe');
  expect(guarded.marks).toEqual(['open']);
});
