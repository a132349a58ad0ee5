import { describe, expect, it } from 'vitest';
import type { AgentMessage, AssistantMessage, ToolResultMessage } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import { toChatMessages, toChatRequest } from './toChatRequest.ts';

const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1,
});
const assistant = (...content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  content,
  provider: 'p',
  model: 'm',
  stopReason: 'stop',
  timestamp: 1,
});
const call = (id: string): AssistantMessage['content'][number] => ({
  type: 'toolCall',
  id,
  name: 'read',
  arguments: { path: id },
});
const result = (id: string, content: ToolResultMessage['content'], details?: unknown): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'read',
  content,
  details,
  isError: false,
  timestamp: 1,
});
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
const wireCall = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: JSON.stringify({ path: id }) },
});

describe('toChatMessages', () => {
  it('puts the system prompt first, and leaves out an empty one', () => {
    expect(toChatMessages('Be brief.', [user('hi')])).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
    ]);
    expect(toChatMessages('', [user('hi')])).toHaveLength(1);
  });

  it('sends images of the user as data URLs', () => {
    const message: AgentMessage = {
      role: 'user',
      content: [{ ...text('look'), isContext: true }, image],
      timestamp: 1,
    };
    expect(toChatMessages('', [message])).toEqual([
      {
        role: 'user',
        content: [text('look'), { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
    ]);
  });

  it('sends each call with its result, in the order of the calls', () => {
    const messages = [
      assistant(text('I look.'), call('a'), call('b')),
      result('b', [text('B')]),
      result('a', [text('A')]),
    ];
    expect(toChatMessages('', messages)).toEqual([
      { role: 'assistant', content: 'I look.', tool_calls: [wireCall('a'), wireCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
    ]);
  });

  it('never sends details', () => {
    const messages = [assistant(call('a')), result('a', [text('A')], { secret: 'for people only' })];
    expect(JSON.stringify(toChatMessages('', messages))).not.toContain('for people only');
  });

  it('sends images of a result in a user message after all results of the round', () => {
    const messages = [assistant(call('a'), call('b')), result('a', [image]), result('b', [text('B')])];
    expect(toChatMessages('', messages).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'The result is an image; it follows.' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      {
        role: 'user',
        content: [
          text('Image from the tool read:'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  it('says so where a result is empty', () => {
    const messages = [assistant(call('a')), result('a', [])];
    expect(toChatMessages('', messages)[1]).toMatchObject({ content: 'The tool gave no output.' });
  });

  it('answers a call whose run was interrupted', () => {
    expect(toChatMessages('', [assistant(call('a')), user('go on')])).toEqual([
      { role: 'assistant', content: '', tool_calls: [wireCall('a')] },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: 'No result: the run was interrupted before the tool ended.',
      },
      { role: 'user', content: 'go on' },
    ]);
  });

  it('turns a result without its call into a user message', () => {
    const orphan = { role: 'user', content: 'Result of an earlier call of the tool read:\nA' };
    expect(toChatMessages('', [result('a', [text('A')])])).toEqual([orphan]);
    expect(toChatMessages('', [assistant(text('x')), result('a', [text('A')])])[1]).toEqual(orphan);
  });

  it('leaves out an answer that broke before its first word', () => {
    expect(toChatMessages('', [user('a'), assistant(), user('b')])).toHaveLength(2);
  });
});

describe('toChatRequest', () => {
  const info: ModelInfo = {
    provider: 'p',
    model: 'qwen',
    name: 'Qwen',
    contextWindow: 1,
    maxOutputTokens: 1,
    toolCalling: true,
  };
  const request = {
    systemPrompt: '',
    messages: [],
    tools: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }],
    signal: new AbortController().signal,
  };

  it('offers the tools as functions and asks for a stream with usage', () => {
    expect(toChatRequest(info, request, true)).toEqual({
      model: 'qwen',
      stream: true,
      stream_options: { include_usage: true },
      messages: [],
      tools: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } },
        },
      ],
    });
  });

  it('leaves out stream options, an empty tool list, and tools that the model can not call', () => {
    expect(toChatRequest(info, request, false)).not.toHaveProperty('stream_options');
    expect(toChatRequest(info, { ...request, tools: [] }, true)).not.toHaveProperty('tools');
    expect(toChatRequest({ ...info, toolCalling: false }, request, true)).not.toHaveProperty('tools');
  });
});
