import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import {
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  type ScriptedModelServer,
} from '../../builders/scriptedModelServer.ts';
import type { Model, ModelEvent } from '../../../src/contracts/model.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { createManualClock, type ManualClock } from '../../builders/manualClock.ts';
import { createNodeHost } from '../../../src/host/node/createNodeHost.ts';
import { openRemoteModel } from '../../../src/runtime/openRemoteModel.ts';
import { withFallbacks } from '../../../src/runtime/withFallbacks.ts';
import { createModelRegistry } from '../../../src/models/createModelRegistry.ts';

let server: ScriptedModelServer;
let second: ScriptedModelServer;
beforeEach(async () => {
  [server, second] = await Promise.all([startScriptedModelServer(), startScriptedModelServer()]);
});
afterEach(async () => {
  await Promise.all([server.dispose(), second.dispose()]);
});

const node = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });

function open(clock: ManualClock, { baseUrl }: ScriptedModelServer, provider: string): Model {
  const info = {
    provider,
    model: 'scripted',
    name: provider,
    contextWindow: 1_000,
    maxOutputTokens: 100,
    toolCalling: true,
  };
  return openRemoteModel({ ...node, clock }, { api: 'openai-compatible', info, baseUrl });
}

/** Reads an answer; each pause passes at once. */
async function read(model: Model, clock: ManualClock): Promise<readonly (ModelEvent | Error)[]> {
  const events: (ModelEvent | Error)[] = [];
  const request = {
    systemPrompt: '',
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }], timestamp: 0 }],
    tools: [],
    signal: new AbortController().signal,
  };
  try {
    for await (const event of model.stream(request)) {
      events.push(event);
      // The pause begins once the reader asks for more.
      if (event.type === 'retry') setImmediate(() => clock.advance(event.waitMs));
    }
  } catch (error) {
    events.push(error instanceof Error ? error : new Error(String(error)));
  }
  return events;
}

describe('a server that has to be asked again', () => {
  it('is asked after exactly the seconds it names', async () => {
    const clock = createManualClock();
    server.script(statusAnswer(429, 'slow down', { 'retry-after': '7' }), textAnswer('Aye.'));
    const events = await read(open(clock, server, 'a'), clock);
    expect(events[0]).toMatchObject({
      type: 'retry',
      attempt: 1,
      waitMs: 7_000,
      because: { code: 'model_rate_limited' },
    });
    expect(events.slice(1)).toEqual([
      { type: 'text', text: 'Aye.' },
      expect.objectContaining({ type: 'done', stopReason: 'stop' }),
    ]);
    expect(clock.now()).toBe(7_000);
  });

  it('is asked until the date it names', async () => {
    const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'));
    const date = 'Thu, 01 Jan 2026 00:00:30 GMT';
    server.script(statusAnswer(503, 'busy', { 'retry-after': date }), textAnswer('Aye.'));
    const [first] = await read(open(clock, server, 'a'), clock);
    expect(first).toMatchObject({ type: 'retry', waitMs: 30_000 });
  });

  it('is not waited for longer than a minute: the error says when to try again', async () => {
    const clock = createManualClock();
    server.script(statusAnswer(429, 'enough for today', { 'retry-after': '3600' }));
    const events = await read(open(clock, server, 'a'), clock);
    expect(events).toEqual([
      expect.objectContaining({
        retryAfterMs: 3_600_000,
        hint: 'It can be asked again in 60 min. Until then choose another model.',
      }),
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('is asked four times in all where it fails without a word', async () => {
    const clock = createManualClock();
    server.answerAll(() => statusAnswer(500, 'oops'));
    const events = await read(open(clock, server, 'a'), clock);
    expect(events.map((event) => (event instanceof Error ? 'error' : event.type))).toEqual([
      'retry',
      'retry',
      'retry',
      'error',
    ]);
    expect(server.requests).toHaveLength(4);
  });

  it('is not asked again once something of its answer was there', async () => {
    const clock = createManualClock();
    server.script({ steps: [{ text: 'half' }, { drop: true }] });
    const events = await read(open(clock, server, 'a'), clock);
    expect(events[0]).toEqual({ type: 'text', text: 'half' });
    expect(events).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a chain of models', () => {
  it('goes on with the next server where the first wants a key, and names it', async () => {
    const clock = createManualClock();
    const models = createModelRegistry();
    const first = open(clock, server, 'a');
    models.register(first);
    models.register(open(clock, second, 'b'));
    server.answerAll(() => statusAnswer(401, 'who are you?'));
    second.answerAll(() => textAnswer('Aye.'));
    const events = await read(withFallbacks(models, first, ['none/such', 'a/scripted', 'b/scripted']), clock);
    expect(events.slice(0, 2)).toEqual([
      expect.objectContaining({
        type: 'fallback',
        to: expect.objectContaining({ provider: 'b' }) as unknown,
        because: expect.objectContaining({ code: 'model_no_key' }) as unknown,
      }),
      { type: 'text', text: 'Aye.' },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('is the model itself where no other is there', () => {
    const models = createModelRegistry();
    const first = open(createManualClock(), server, 'a');
    models.register(first);
    expect(withFallbacks(models, first, ['none/such', 'a/scripted'])).toBe(first);
  });

  it('writes the model that has answered into the transcript', async () => {
    server.answerAll(() => statusAnswer(402, 'no credit left'));
    second.answerAll(() => textAnswer('Aye.'));
    const provider = ({ baseUrl }: ScriptedModelServer) => ({
      api: 'openai-compatible',
      baseUrl,
      models: [{ id: 'scripted' }],
    });
    await using test = await openTestRuntime({
      withoutRealBundled: true,
      config: { models: { providers: { a: provider(server), b: provider(second) } } },
    });
    const { models } = test.runtime;
    const model = withFallbacks(models, models.resolve('a/scripted'), ['b/scripted']);
    const { outcome, events } = await test.say('hi', [], { model });
    expect(outcome).toEqual({ status: 'completed', text: 'Aye.' });
    const message = events.find((event) => event.type === 'message')?.message;
    expect([message?.provider, message?.model]).toEqual(['b', 'scripted']);
  });
});
