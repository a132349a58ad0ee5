import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failureOf,
  modelApis,
  openLibraryModel,
  scriptedInfo,
  type LibraryModelWorld,
} from '../../../test/builders/openLibraryModel.ts';
import {
  cutInCharacter,
  overloaded,
  refusalAnswer,
  refusals,
  unknownEvents,
} from '../../../test/builders/modelFaults.ts';
import {
  halfToolCallAnswer,
  hangingAnswer,
  rawAnswer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptStep,
} from '../../../test/builders/scriptedModelServer.ts';
import { retryAfterOf } from '../modelFailure.ts';
import { maxAnswerLength } from './openModelConnection.ts';

const end: readonly ScriptStep[] = [{ finish: 'stop' }, { mark: true }];
const text = (value: string): ScriptStep => ({ text: value });

describe.each(modelApis)('faults by the protocol %s', (api) => {
  let world: LibraryModelWorld;
  beforeEach(async () => {
    world = await openLibraryModel(api);
  });
  afterEach(() => world.dispose());

  it.each<readonly [string, ScriptedAnswer, string, RegExp]>([
    [
      'a cut in mid-event',
      { steps: [text('a'), { raw: 'data: {"ch' }, { drop: true }] },
      'model_unavailable',
      /broke off in the middle/,
    ],
    [
      'an end in mid-event',
      { steps: [text('a'), { raw: 'data: {"ch' }] },
      'model_malformed',
      /no JSON: \{"ch/,
    ],
    [
      'an end in mid-answer',
      { steps: [text('a')] },
      'model_malformed',
      /stopped in the middle of its answer/,
    ],
    [
      'half a tool call',
      halfToolCallAnswer('write'),
      'model_malformed',
      /middle of (?:a tool call: .*"path": "no|its answer)|no JSON: .*"path": "no/,
    ],
    [
      'a tool call that the output limit cut',
      { steps: [...halfToolCallAnswer('write').steps, { finish: 'length' }, { mark: true }] },
      'model_malformed',
      /output limit in the middle of a call of write|no JSON: .*"path": "no/,
    ],
    [
      'half a tool call, then a cut',
      { steps: [...halfToolCallAnswer('write').steps, { drop: true }] },
      'model_unavailable',
      /broke off/,
    ],
    [
      'an event that is no JSON',
      { steps: [text('a'), { raw: 'data: {"choices": [\n\n' }, ...end] },
      'model_malformed',
      /no JSON: \{"choices/,
    ],
    [
      'an error within the stream',
      { steps: [text('a'), { chunk: overloaded[api] }, ...end] },
      'model_unavailable',
      /Overloaded/,
    ],
    [
      'an error in place of a stream',
      { steps: [{ chunk: overloaded[api] }] },
      'model_unavailable',
      /Overloaded/,
    ],
    [
      'a content filter',
      { steps: [text('a'), { finish: 'content_filter' }, { mark: true }] },
      'model_refused',
      /refused to answer/,
    ],
    [
      'an HTML page',
      rawAnswer('<!doctype html><title>Sign in</title>', 'text/html'),
      'model_malformed',
      /no answer of a model: <!doctype/,
    ],
    [
      'an HTML page that calls itself a stream',
      rawAnswer('<html>data: x', 'text/event-stream'),
      'model_malformed',
      /<html>/,
    ],
    ['plain text', rawAnswer('All is well.', 'text/plain'), 'model_malformed', /All is well/],
    ['an empty answer', rawAnswer(''), 'model_malformed', /no answer of a model\./],
    [
      'another JSON',
      rawAnswer('{"hello": 1}', 'application/json'),
      'model_malformed',
      /no answer of a model: \{"hello": 1\}/,
    ],
    [
      'JSON that breaks off',
      rawAnswer('{"choices": [', 'application/json'),
      'model_malformed',
      /JSON that breaks off/,
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1:9/other' }, steps: [] },
      'model_gone',
      /\/other/,
    ],
  ])('%s', async (_name, answer, code, message) => {
    world.server.script(answer);
    const seen: string[] = [];
    const asked = (async () => {
      for await (const event of world.model().stream(world.request())) seen.push(event.type);
    })();
    const error = await failureOf(asked);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
    expect(seen).not.toContain('toolCall');
    expect(seen).not.toContain('done');
    expect(world.server.requests).toHaveLength(1);
  });

  it('a cut after the reason to stop takes nothing away', async () => {
    world.server.script({ steps: [text('a'), ...end, { drop: true }] });
    expect((await world.ask()).map(({ type }) => type)).toEqual(['text', 'done']);
  });

  it('split UTF-8: characters that two packets share arrive whole', async () => {
    world.server.script({ steps: [...cutInCharacter(api), ...end] });
    const events = await world.ask();
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('akelp 😀');
  });

  it('duplicate ids: each call has its own, in the answer and in the conversation', async () => {
    world.server.script(
      toolCallAnswer([
        { id: 'a', name: 'read', arguments: { n: 1 } },
        { id: 'b', name: 'read', arguments: { n: 2 } },
        { id: 'b', name: 'read', arguments: { n: 3 } },
      ]),
    );
    const earlier = { type: 'toolCall' as const, id: 'a', name: 'read', arguments: {} };
    const events = await world.ask(undefined, {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 1 },
        {
          role: 'assistant',
          content: [earlier],
          provider: 'local',
          model: 'scripted',
          stopReason: 'toolUse',
          timestamp: 2,
        },
      ],
    });
    const calls = events.filter((event) => event.type === 'toolCall');
    expect(calls.map((call) => call.arguments)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(new Set(['a', ...calls.map((call) => call.id)]).size).toBe(4);
    expect(calls[1]?.id).toBe('b');
  });

  it.each<readonly [string, Readonly<Record<string, string>>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
    ['a date', { 'retry-after': new Date(60_000).toUTCString() }, 60_000],
    ['no time', {}, undefined],
    ['what is no time', { 'retry-after': 'soon' }, undefined],
  ])('429 with %s', async (_name, headers, waitMs) => {
    world.server.script(statusAnswer(429, 'Slow down', headers));
    const error = await world.failure();
    expect(error.code).toBe('model_rate_limited');
    expect(retryAfterOf(error)).toBe(waitMs);
    expect(world.server.requests).toHaveLength(1);
  });

  it('503 keeps the time to wait, too', async () => {
    world.server.script(statusAnswer(503, 'Down', { 'retry-after': '3' }));
    expect(retryAfterOf(await world.failure())).toBe(3_000);
  });

  it.each(Object.entries(refusals[api]))('%s: known by what the server says', async (code, refusal) => {
    world.server.script(refusalAnswer(refusal));
    const error = await world.failure(world.model({ apiKey: () => Promise.resolve('sk-key') }));
    expect(error.code).toBe(code);
    expect(error.hint).toBeTruthy();
    expect(world.server.requests).toHaveLength(1);
  });

  it('model_no_key: where none is set', async () => {
    world.server.script(statusAnswer(401, 'no'));
    expect((await world.failure()).code).toBe('model_no_key');
  });

  it('model_offline: names the address and what to check when nothing listens', async () => {
    const { baseUrl } = world.server;
    await world.server.dispose();
    const error = await world.failure();
    expect(error.code).toBe('model_offline');
    expect(error.message).toBe(`${baseUrl} can not be reached: nothing listens at that address`);
    expect(error.hint).toContain(`${baseUrl}/models`);
  });

  it.each([
    ['that thinks', true, 300],
    ['that does not think', false, 60],
  ])('a stall before the first byte, of a model %s', async (_name, thinking, seconds) => {
    world.server.script(hangingAnswer());
    const asked = world.failure(world.model({ info: { ...scriptedInfo, thinking } }));
    await world.server.waitForRequests(1);
    world.clock.advance(seconds * 1000 - 1);
    await Promise.resolve();
    expect(world.server.abandoned).toBe(0);
    world.clock.advance(1);
    expect(await asked).toMatchObject({
      code: 'model_timeout',
      message: expect.stringContaining(`within ${seconds} s`) as unknown,
    });
    await world.server.waitForAbandoned(1);
  });

  it('a stall within the answer', async () => {
    world.server.script(hangingAnswer('so far'));
    const model = world.model({ timeouts: { idleMs: 5_000 } });
    const events = model.stream(world.request())[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'so far' });
    const timers = world.clock.armed(3);
    const next = failureOf(Promise.resolve(events.next()));
    await timers;
    world.clock.advance(5_000);
    expect(await next).toMatchObject({
      code: 'model_timeout',
      message: expect.stringContaining('silent for 5 s') as unknown,
    });
    await world.server.waitForAbandoned(1);
  });

  it('a reader that takes its time is no stall', async () => {
    world.server.script(textAnswer('a', 'b'));
    const events = world.model().stream(world.request())[Symbol.asyncIterator]();
    await events.next();
    world.clock.advance(600_000);
    expect((await events.next()).value).toEqual({ type: 'text', text: 'b' });
    await events.return?.();
  });

  it('a 50 MB answer is cut off', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    world.server.script({ steps: [...Array.from({ length: 50 }, () => text(megabyte)), ...end] });
    let length = 0;
    const asked = (async () => {
      for await (const event of world.model().stream(world.request()))
        if (event.type === 'text') length += event.text.length;
    })();
    expect(await failureOf(asked)).toMatchObject({
      code: 'model_malformed',
      message: expect.stringContaining('over 40 MB') as unknown,
    });
    expect(length).toBeLessThanOrEqual(maxAnswerLength);
    await world.server.waitForAbandoned(1);
  });

  it('an event that never ends is cut off', async () => {
    const megabyte = { raw: 'x'.repeat(1024 * 1024) };
    world.server.script({ steps: [{ raw: 'data: "' }, ...Array.from({ length: 20 }, () => megabyte)] });
    expect((await world.failure()).message).toContain('over 8 MB');
    await world.server.waitForAbandoned(1);
  });

  it('unknown events, fields and finish reasons are let be', async () => {
    const steps = unknownEvents[api].map((chunk) => ({ chunk }));
    world.server.script({ steps: [text('a'), ...steps, { finish: 'tea_break' }, { mark: true }] });
    const events = await world.ask();
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('ab');
    expect(events.at(-1)).toEqual({ type: 'done', stopReason: 'stop' });
  });

  it.each([401, 400, 500, 200])(
    'a key that the server echoes with status %i is never shown',
    async (status) => {
      const echo = 'Authorization: Bearer sk-very-secret was not understood';
      world.server.script(status === 200 ? rawAnswer(echo) : statusAnswer(status, echo));
      const apiKey = (): Promise<string> => Promise.resolve('sk-very-secret');
      const error = await world.failure(world.model({ apiKey }));
      expect(JSON.stringify([error.message, error.hint, error.stack, error.cause])).not.toContain('sk-very');
    },
  );
});
