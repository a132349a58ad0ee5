import { describe, expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createReplayModel } from './createReplayModel.ts';

const clock = createManualClock();
const replay = (...lines: readonly unknown[]): Model =>
  createReplayModel({
    script: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    name: 'demo.jsonl',
    clock,
  });

const request = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  systemPrompt: '',
  messages: [],
  tools: [],
  signal: new AbortController().signal,
  ...changes,
});

async function play(model: Model, asked = request()): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked)) events.push(event);
  return events;
}

const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1,
});
const answer: AgentMessage = {
  role: 'assistant',
  content: [],
  provider: 'replay',
  model: 'demo',
  stopReason: 'toolUse',
  timestamp: 1,
};
const result = (text: string): AgentMessage => ({
  role: 'toolResult',
  toolCallId: 'a',
  toolName: 'read',
  content: [{ type: 'text', text }],
  isError: false,
  timestamp: 1,
});

describe('createReplayModel', () => {
  it('plays one turn a request: text in its pieces, then tool calls, then done', async () => {
    const model = replay(
      {
        text: ['I ', 'look.'],
        toolCalls: [
          { name: 'read', arguments: { path: 'a' } },
          { id: 'x', name: 'ls' },
        ],
      },
      '',
      { text: 'Done.', usage: { input: 3, output: 1 } },
    );
    expect(await play(model)).toEqual([
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look.' },
      { type: 'toolCall', id: 'call_1_1', name: 'read', arguments: { path: 'a' } },
      { type: 'toolCall', id: 'x', name: 'ls', arguments: {} },
      { type: 'done', stopReason: 'toolUse' },
    ]);
    expect(await play(model)).toEqual([
      { type: 'text', text: 'Done.' },
      { type: 'done', stopReason: 'stop', usage: { input: 3, output: 1 } },
    ]);
  });

  it('thinks first: a thought as text, or several with what the server says of them', async () => {
    const sealed = [
      { text: 'b', signature: 's' },
      { text: '', signature: 'h', redacted: true },
    ];
    const model = replay({ thinking: 'a', text: 'Yes.' }, { thinking: sealed });
    expect((await play(model)).slice(0, 3)).toEqual([
      { type: 'thinking', text: 'a' },
      { type: 'thinkingEnd' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect((await play(model)).slice(0, 3)).toEqual([
      { type: 'thinking', text: 'b' },
      { type: 'thinkingEnd', signature: 's' },
      { type: 'thinkingEnd', signature: 'h', redacted: true },
    ]);
  });

  it('fails as the turn says, after its text', async () => {
    const model = replay({
      text: 'so far',
      error: { code: 'model_timeout', message: 'Too slow.', hint: 'Wait.' },
    });
    const events = model.stream(request())[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'so far' });
    await expect(events.next()).rejects.toMatchObject({
      code: 'model_timeout',
      message: 'Too slow.',
      hint: 'Wait.',
    });
  });

  it('waits before each event', async () => {
    const events = replay({ text: ['a', 'b'], delayMs: 50 })
      .stream(request())
      [Symbol.asyncIterator]();
    let second = '';
    const first = events.next();
    clock.advance(50);
    await first;
    const next = Promise.resolve(events.next()).then(({ value }) => {
      second = (value as { readonly text: string }).text;
    });
    await Promise.resolve();
    clock.advance(49);
    await Promise.resolve();
    expect(second).toBe('');
    clock.advance(1);
    await next;
    expect(second).toBe('b');
  });

  it('stops at once when it is cancelled while it waits', async () => {
    const abort = new AbortController();
    const played = play(replay({ text: 'a', delayMs: 50 }), request({ signal: abort.signal }));
    abort.abort();
    await expect(played).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('fails when the script is exhausted', async () => {
    const model = replay({ text: 'a' });
    await play(model);
    await expect(play(model)).rejects.toMatchObject({
      code: 'replay_exhausted',
      message: expect.stringContaining('demo.jsonl has 1 turn,') as unknown,
    });
  });
});

describe('createReplayModel: expect', () => {
  const played = (expected: unknown, asked: Partial<ModelRequest>) =>
    play(replay({ text: 'a', expect: expected }), request(asked));
  const mismatch = (message: string): object => ({
    code: 'replay_mismatch',
    message: expect.stringContaining(message) as unknown,
  });

  it('looks for a part of the last user message', async () => {
    const messages = [user('read this'), answer, user('and that')];
    await played({ userText: 'and' }, { messages });
    await expect(played({ userText: 'read' }, { messages })).rejects.toMatchObject(
      mismatch('demo.jsonl:1: The last user message should have the text "read"; it is "and that".'),
    );
  });

  it('looks for a part of a tool result since the last answer', async () => {
    const messages = [answer, result('old'), answer, result('one'), result('two')];
    await played({ toolResult: 'one' }, { messages });
    await expect(played({ toolResult: 'old' }, { messages })).rejects.toMatchObject(mismatch('text "old"'));
    await expect(played({ toolResult: 'x' }, { messages: [] })).rejects.toMatchObject(
      mismatch('there is none'),
    );
  });

  it('looks for the tools that must be offered', async () => {
    const tools = [{ name: 'read', description: '', parameters: {} }];
    await played({ tools: ['read'] }, { tools });
    await expect(played({ tools: ['read', 'write'] }, { tools })).rejects.toMatchObject(
      mismatch('not offered: write. Offered: read.'),
    );
  });
});

describe('createReplayModel: scripts that can not be played', () => {
  it.each([
    ['{"text": "a"}\n{"text": }', /^demo\.jsonl:2: This is no JSON/],
    ['\n\n[]', /^demo\.jsonl:3: A turn is a JSON object/],
    ['{"txet": "a"}', /^demo\.jsonl:1: .*txet/],
    ['{"toolCalls": [{"name": "a", "args": {}}]}', /^demo\.jsonl:1: toolCalls\.0: .*args/],
    ['{"toolCalls": [{"name": ""}]}', /toolCalls\.0\.name/],
    ['{"delayMs": -1}', /delayMs/],
    ['  \n', /has no turns/],
  ])('refuses %j', (script, message) => {
    expect(() => createReplayModel({ script, name: 'demo.jsonl', clock })).toThrow(
      expect.objectContaining({ code: 'replay_invalid', message: expect.stringMatching(message) as unknown }),
    );
  });

  it('takes CRLF line ends and a byte order mark', async () => {
    const script = '\uFEFF{"text":"a"}\r\n{"text":"b"}\r\n';
    const model = createReplayModel({ script, name: 'demo.jsonl', clock });
    await play(model);
    expect((await play(model))[0]).toEqual({ type: 'text', text: 'b' });
  });
});
