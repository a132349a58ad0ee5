import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createGate,
  halfToolCallAnswer,
  hangingAnswer,
  rawAnswer,
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../../../test/builders/scriptedModelServer.ts';
import { PincerError } from '../../base/errors.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import { createManualClock, type ManualClock } from '../../host/memory/manualClock.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import type { HttpClient } from '../../host/ports.ts';
import { createOpenAiCompatibleModel, type OpenAiCompatibleOptions } from './createOpenAiCompatibleModel.ts';

let server: ScriptedModelServer;
let clock: WatchedClock;
let abort: AbortController;

beforeEach(async () => {
  server = await startScriptedModelServer();
  clock = createWatchedClock();
  abort = new AbortController();
});
afterEach(() => server.dispose());

interface WatchedClock extends ManualClock {
  /** Resolves once `count` timers have been set since the start. */
  armed(count: number): Promise<void>;
}

function createWatchedClock(): WatchedClock {
  const clock = createManualClock();
  let count = 0;
  let changed = (): void => undefined;
  return {
    ...clock,
    after(ms, call) {
      count += 1;
      const cancel = clock.after(ms, call);
      changed();
      return cancel;
    },
    armed: (wanted) =>
      new Promise((resolve) => {
        changed = () => (count >= wanted ? resolve() : undefined);
        changed();
      }),
  };
}

function modelAt(baseUrl: string, options: Partial<OpenAiCompatibleOptions> = {}): Model {
  return createOpenAiCompatibleModel({
    info: {
      provider: 'local',
      model: 'scripted',
      name: 'Scripted',
      contextWindow: 1,
      maxOutputTokens: 1,
      toolCalling: true,
    },
    baseUrl,
    http: createNodeHttpClient(),
    clock,
    ...options,
  });
}

const request = (): ModelRequest => ({
  systemPrompt: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 1 }],
  tools: [],
  signal: abort.signal,
});

async function ask(model = modelAt(server.baseUrl)): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request())) events.push(event);
  return events;
}

async function failure(asked: Promise<unknown>): Promise<PincerError> {
  const error: unknown = await asked.then(
    () => new Error('It did not fail.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PincerError);
  return error as PincerError;
}

describe('an OpenAI-compatible model: answers', () => {
  it('streams text and ends with done', async () => {
    server.script(textAnswer('Hel', 'lo'));
    expect(await ask()).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'done', stopReason: 'stop' },
    ]);
  });

  it('passes on each piece before the server writes the next', async () => {
    const gate = createGate();
    server.script({ steps: [{ text: 'first' }, { wait: gate.opened }, { text: 'second' }, { mark: true }] });
    const events = modelAt(server.baseUrl).stream(request())[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'first' });
    gate.open();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'second' });
    await events.return?.();
  });

  it('gives tool calls complete and parsed', async () => {
    server.script(
      toolCallAnswer([{ id: 'a', name: 'write', arguments: { path: 'ä.md', content: '"x"\n' } }], {
        text: 'I write.',
        fragmentLength: 1,
      }),
    );
    expect(await ask()).toEqual([
      { type: 'text', text: 'I write.' },
      { type: 'toolCall', id: 'a', name: 'write', arguments: { path: 'ä.md', content: '"x"\n' } },
      { type: 'done', stopReason: 'toolUse' },
    ]);
  });

  it('takes a plain JSON answer of a server that does not stream', async () => {
    const whole = { choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }] };
    server.script(rawAnswer(JSON.stringify(whole, null, 1), 'application/json'));
    expect((await ask())[0]).toEqual({ type: 'text', text: 'all at once' });
  });

  it('is done at the end mark, whether or not the server hangs up', async () => {
    server.script({ steps: [{ text: 'a' }, { mark: true }, { hang: true }] });
    const events = modelAt(server.baseUrl).stream(request())[Symbol.asyncIterator]();
    await events.next();
    expect((await events.next()).value).toEqual({ type: 'done', stopReason: 'stop' });
    await events.return?.();
    await server.waitForAbandoned(1);
  });

  it('uses its connections again in the next round', async () => {
    const model = modelAt(server.baseUrl);
    for (let round = 0; round < 8; round += 1) {
      const end = createGate();
      server.script({ steps: [{ text: 'a' }, { mark: true }, { wait: end.opened }] });
      for await (const event of model.stream(request())) {
        if (event.type === 'done') end.open();
      }
    }
    // The HTTP stack opens a second one before the first is free; a new one each time would make 8.
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});

describe('an OpenAI-compatible model: requests', () => {
  it('sends model, messages, key and headers', async () => {
    server.script(textAnswer('a'));
    await ask(
      modelAt(server.baseUrl, { apiKey: () => Promise.resolve('sk-1'), headers: { 'x-team': 'blue' } }),
    );
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1', 'x-team': 'blue' },
      body: {
        model: 'scripted',
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
        ],
      },
    });
  });

  it('asks again without stream_options where the server refuses those, and remembers it', async () => {
    const model = modelAt(server.baseUrl);
    server.script(statusAnswer(400, 'Unknown field: stream_options'), textAnswer('a'), textAnswer('b'));
    await ask(model);
    await ask(model);
    expect(server.requests.map((each) => each.body?.stream_options !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('asks only once where the refusal is about something else', async () => {
    server.script(statusAnswer(400, 'This model does not support tools'));
    expect(await failure(ask())).toMatchObject({ code: 'model_rejected' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('an OpenAI-compatible model: failures', () => {
  it.each([
    [401, 'model_unauthorized'],
    [404, 'model_not_found'],
    [429, 'model_rate_limited'],
    [500, 'model_unavailable'],
  ])('reports status %i as %s', async (status, code) => {
    server.script(statusAnswer(status, 'no', { 'retry-after': '7' }));
    const error = await failure(ask());
    expect(error.code).toBe(code);
    expect(error.hint).toBeTruthy();
    if (status === 429) expect(error.message).toContain('Try again in 7 s.');
  });

  it('does not follow a redirect, which would carry the key elsewhere', async () => {
    server.script({ status: 302, headers: { location: `${server.baseUrl}/other` }, steps: [] });
    expect((await failure(ask())).message).toContain('/other');
    expect(server.requests).toHaveLength(1);
  });

  it('names the base URL and what to check when nothing listens', async () => {
    const { baseUrl } = server;
    await server.dispose();
    const error = await failure(ask(modelAt(baseUrl)));
    expect(error.code).toBe('model_unavailable');
    expect(error.message).toBe(`${baseUrl} can not be reached: nothing listens at that address`);
    expect(error.hint).toContain(`${baseUrl}/models`);
  });

  it('gives up when no first byte comes in time', async () => {
    server.script(hangingAnswer());
    const asked = failure(ask());
    await server.waitForRequests(1);
    clock.advance(60_000);
    expect(await asked).toMatchObject({
      code: 'model_timeout',
      message: expect.stringContaining('60 s') as unknown,
    });
    await server.waitForAbandoned(1);
  });

  it('gives up when an answer falls silent', async () => {
    server.script(hangingAnswer('so far'));
    const events = modelAt(server.baseUrl, { timeouts: { idleMs: 5_000 } })
      .stream(request())
      [Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'so far' });
    const timers = clock.armed(3);
    const next = failure(Promise.resolve(events.next()));
    await timers;
    clock.advance(5_000);
    expect((await next).message).toContain('was silent for 5 s');
    await server.waitForAbandoned(1);
  });

  it('does not count the time that its reader takes', async () => {
    server.script(textAnswer('a', 'b'));
    const events = modelAt(server.baseUrl).stream(request())[Symbol.asyncIterator]();
    await events.next();
    clock.advance(600_000);
    expect((await events.next()).value).toEqual({ type: 'text', text: 'b' });
    await events.return?.();
  });

  it.each([
    [
      'an HTML page',
      rawAnswer('<!doctype html><title>Sign in</title>', 'text/html'),
      /no chat completion: <!doctype/,
    ],
    ['an empty answer', rawAnswer(''), /no chat completion\./],
    ['another JSON', rawAnswer('{"hello": 1}'), /no chat completion: \{"hello": 1\}/],
    ['JSON that breaks off', rawAnswer('{"choices": ['), /JSON that breaks off/],
    ['a chunk that is no JSON', rawAnswer('data: {"choices": [\n\n'), /no JSON: \{"choices"/],
    ['an answer without an end', { steps: [{ text: 'a' }] }, /middle of its answer/],
    ['half a tool call', halfToolCallAnswer('write'), /middle of a tool call: \{"path": "no/],
  ])('refuses %s and shows it', async (_name, answer, message) => {
    server.script(answer);
    expect(await failure(ask())).toMatchObject({
      code: 'model_malformed',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('says so when the connection breaks in the middle', async () => {
    server.script({ steps: [{ text: 'a' }, { drop: true }] });
    expect(await failure(ask())).toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('broke off in the middle of its answer') as unknown,
    });
  });

  it.each([401, 400, 500, 200])('never shows the key that a server echoes with status %i', async (status) => {
    const echo = 'Authorization: Bearer sk-very-secret was not understood';
    server.script(status === 200 ? rawAnswer(echo) : statusAnswer(status, echo));
    const apiKey = (): Promise<string> => Promise.resolve('sk-very-secret');
    const error = await failure(ask(modelAt(server.baseUrl, { apiKey })));
    expect(JSON.stringify([error.message, error.hint, error.stack, error.cause])).not.toContain('sk-very');
  });
});

describe('an OpenAI-compatible model: cancel', () => {
  it('asks nothing when the run is cancelled already', async () => {
    abort.abort();
    expect((await failure(ask())).code).toBe('cancelled');
    expect(server.requests).toHaveLength(0);
  });

  it('stops at once before the first byte, and hangs up', async () => {
    server.script(hangingAnswer());
    const asked = failure(ask());
    await server.waitForRequests(1);
    abort.abort();
    expect((await asked).code).toBe('cancelled');
    await server.waitForAbandoned(1);
  });

  it('stops at once in the middle of an answer, and hangs up', async () => {
    server.script(hangingAnswer('so far'));
    const events = modelAt(server.baseUrl).stream(request())[Symbol.asyncIterator]();
    await events.next();
    const next = failure(Promise.resolve(events.next()));
    abort.abort();
    expect((await next).code).toBe('cancelled');
    await server.waitForAbandoned(1);
  });

  it('stops at once even if the HTTP client ignores the signal', async () => {
    const deaf: HttpClient = { send: () => new Promise(() => undefined) };
    const asked = failure(ask(modelAt(server.baseUrl, { http: deaf })));
    await Promise.resolve();
    abort.abort();
    expect((await asked).code).toBe('cancelled');
  });

  it('hangs up when its reader leaves early', async () => {
    server.script(hangingAnswer('so far'));
    for await (const event of modelAt(server.baseUrl).stream(request())) {
      if (event.type === 'text') break;
    }
    await server.waitForAbandoned(1);
  });
});
