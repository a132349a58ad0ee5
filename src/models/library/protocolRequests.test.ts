import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, result, seal, user } from '../../../test/builders/modelMessages.ts';
import { openLibraryModel, type LibraryModelWorld } from '../../../test/builders/openLibraryModel.ts';
import { statusAnswer, textAnswer } from '../../../test/builders/scriptedModelServer.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelRequest } from '../../contracts/model.ts';

let world: LibraryModelWorld;
afterEach(() => world.dispose());

/** The body that the server got for one request. */
async function sent(changes: Partial<ModelRequest>): Promise<unknown> {
  world.server.script(textAnswer('a'));
  await world.ask(undefined, changes);
  return world.server.requests.at(-1)?.json;
}

describe('requests to Anthropic', () => {
  beforeEach(async () => {
    world = await openLibraryModel('anthropic');
  });

  it('give hidden thoughts back unread', async () => {
    const chunks = [
      { type: 'message_start', message: { usage: { input_tokens: 3, cache_read_input_tokens: 2 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: seal } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    world.server.script({ steps: chunks.map((chunk) => ({ chunk })) });
    expect(await world.ask()).toEqual([
      { type: 'thinkingEnd', signature: seal, redacted: true },
      { type: 'done', stopReason: 'stop', usage: { input: 5, output: 1, cacheRead: 2 } },
    ]);
    const hidden = { type: 'thinking' as const, thinking: '', thinkingSignature: seal, redacted: true };
    const body = await sent({
      messages: [user('hi'), answer(hidden, { type: 'text', text: 'a' }), user('b')],
    });
    expect(body).toMatchObject({
      messages: [{}, { content: [{ type: 'redacted_thinking', data: seal }, { text: 'a' }] }, {}],
    });
  });

  it('do not ask for thoughts in the middle of a turn that another model began', async () => {
    const call = { type: 'toolCall' as const, id: 'c1', name: 'look', arguments: {} };
    const begun = (model: string): AgentMessage[] => [
      user('hi'),
      { ...answer(call), model },
      result('c1', [{ type: 'text', text: 'seen' }]),
    ];
    expect(await sent({ settings: { thinking: 'high' }, messages: begun('another') })).not.toHaveProperty(
      'thinking',
    );
    expect(await sent({ settings: { thinking: 'high' }, messages: begun('scripted') })).toHaveProperty(
      'thinking',
    );
    const later = [...begun('another'), answer({ type: 'text', text: 'So.' }), user('and?')];
    expect(await sent({ settings: { thinking: 'high' }, messages: later })).toHaveProperty('thinking');
  });

  it('have ids that Anthropic takes, of other models too', async () => {
    const call = { type: 'toolCall' as const, id: 'functions.look:0', name: 'look', arguments: {} };
    const messages = [user('hi'), answer(call), result(call.id, [{ type: 'text', text: 'seen' }])];
    expect(await sent({ messages })).toMatchObject({
      messages: [
        {},
        { content: [{ id: 'functions_look_0' }] },
        { content: [{ tool_use_id: 'functions_look_0', content: 'seen' }] },
      ],
    });
  });
});

describe('requests to Google', () => {
  it('give the seal of a call back with the call', async () => {
    world = await openLibraryModel('google');
    const part = { functionCall: { name: 'look', args: {} }, thoughtSignature: seal };
    world.server.script({
      steps: [{ chunk: { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] } }],
    });
    const call = (await world.ask()).find((event) => event.type === 'toolCall');
    expect(call).toMatchObject({ name: 'look', thoughtSignature: seal });
    expect(call?.id).toMatch(/./u);
    const messages = [user('hi'), answer(call!), result(call!.id, [{ type: 'text', text: 'seen' }])];
    expect(await sent({ messages })).toMatchObject({
      contents: [{}, { parts: [part] }, { parts: [{ functionResponse: { name: 'look' } }] }],
    });
  });
});

describe('requests to OpenAI-compatible servers', () => {
  beforeEach(async () => {
    world = await openLibraryModel('openai-compatible');
  });

  it('go again without stream_options where the server refuses those, and it is remembered', async () => {
    const model = world.model();
    world.server.script(statusAnswer(400, 'Unknown field: stream_options'), textAnswer('a'), textAnswer('b'));
    await world.ask(model);
    await world.ask(model);
    const withUsage = world.server.requests.map((each) => each.body?.stream_options !== undefined);
    expect(withUsage).toEqual([true, false, false]);
  });

  it('go again with max_completion_tokens where the server asks for that', async () => {
    const refusal = statusAnswer(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.");
    world.server.script(refusal, textAnswer('a'));
    await world.ask(undefined, { settings: { maxTokens: 5 } });
    expect(world.server.requests.map((each) => each.json)).toMatchObject([
      { max_tokens: 5 },
      { max_completion_tokens: 5 },
    ]);
    expect(world.server.requests[1]?.json).not.toHaveProperty('max_tokens');
  });

  it('tell older thoughts to nobody: only the turn that goes on needs its own', async () => {
    const thought = { type: 'thinking' as const, thinking: 'Hm.' };
    const text = { type: 'text' as const, text: 'Yes.' };
    const body = await sent({ messages: [user('hi'), answer(thought, text), user('go')] });
    expect(JSON.stringify(body)).not.toContain('Hm.');
  });

  it('read a whole answer of a server that does not stream', async () => {
    const whole = {
      choices: [
        {
          message: {
            content: 'all at once',
            tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{}' } }],
          },
          finish_reason: 'stop',
        },
      ],
    };
    world.server.script({
      headers: { 'content-type': 'application/json' },
      steps: [{ raw: JSON.stringify(whole, null, 1) }],
    });
    expect(await world.ask()).toEqual([
      { type: 'text', text: 'all at once' },
      { type: 'toolCall', id: 'c', name: 'look', arguments: {} },
      { type: 'done', stopReason: 'toolUse' },
    ]);
  });

  it('are over at the end mark, with or without a reason to stop, and whether or not the server hangs up', async () => {
    world.server.script({ steps: [{ text: 'a' }, { mark: true }, { hang: true }] });
    const events = world.model().stream(world.request())[Symbol.asyncIterator]();
    await events.next();
    expect((await events.next()).value).toEqual({ type: 'done', stopReason: 'stop' });
    await events.return?.();
    await world.server.waitForAbandoned(1);
  });
});
