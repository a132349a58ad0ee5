import { describe, expect, it } from 'vitest';
import type { AgentMessage } from '../contracts/message.ts';
import { quoteHistory } from './quoteHistory.ts';
import { visibleSessions } from './visibleSessions.ts';

describe('visibleSessions', () => {
  const chat = (id: string, agentId = 'main') => ({ id, kind: 'chat' as const, agentId });
  const started = (id: string, parent: string, agentId = 'main') => ({
    id,
    kind: 'subagent' as const,
    agentId,
    parent: { sessionId: parent },
  });
  const all = [
    chat('a'),
    chat('b'),
    chat('foreign', 'private'),
    started('a1', 'a', 'helper'),
    started('a2', 'a1'),
    started('b1', 'b'),
    { ...chat('fork'), parent: { sessionId: 'a' } },
  ];
  const seenBy = (id: string): string[] => visibleSessions(id, all).map((each) => each.id);

  it('gives an agent its own chats and what it has started, however deep', () => {
    expect(seenBy('a')).toEqual(['a', 'b', 'a1', 'a2', 'fork']);
  });

  it('gives a started agent only itself and what it has started', () => {
    expect(seenBy('a1')).toEqual(['a1', 'a2']);
    expect(seenBy('b1')).toEqual(['b1']);
  });

  it('gives one that is not there nothing', () => {
    expect(seenBy('gone')).toEqual([]);
  });

  it('gives nothing of another tenant, and to a tenant nothing of nobody', () => {
    const tenant = { tenantId: 'x' };
    const mixed = [
      ...all,
      { ...chat('x'), tenant },
      { ...started('x1', 'x'), tenant },
      started('stray', 'x'),
    ];
    const ids = (id: string): string[] => visibleSessions(id, mixed).map((each) => each.id);
    expect(ids('x')).toEqual(['x', 'x1']);
    expect(ids('a')).toEqual(seenBy('a'));
  });
});

describe('quoteHistory', () => {
  const text = (value: string, isContext?: true) => ({
    type: 'text' as const,
    text: value,
    ...(isContext === undefined ? {} : { isContext }),
  });
  const user = (...content: Extract<AgentMessage, { role: 'user' }>['content']): AgentMessage => ({
    role: 'user',
    content,
    timestamp: 0,
  });
  const answer = (...content: Extract<AgentMessage, { role: 'assistant' }>['content']): AgentMessage => ({
    role: 'assistant',
    content,
    provider: 'p',
    model: 'm',
    stopReason: 'stop',
    timestamp: 0,
  });
  const messages: readonly AgentMessage[] = [
    user(text('Look.'), text('attached file', true), { type: 'image', data: 'x', mimeType: 'image/png' }),
    answer(
      { type: 'thinking', thinking: 'my thought' },
      { type: 'toolCall', id: '1', name: 'read', arguments: { path: 'a.md' } },
    ),
    {
      role: 'toolResult',
      toolCallId: '1',
      toolName: 'read',
      content: [text('the file')],
      details: { secret: 'details' },
      isError: false,
      timestamp: 0,
    },
    answer(text('It is key-123.')),
  ];
  const quote = (more: { limit?: number; includeTools?: boolean } = {}, given = messages) =>
    quoteHistory(given, {
      limit: 20,
      includeTools: false,
      redact: (value) => value.replace('key-123', '***'),
      ...more,
    });

  it('gives words only: no thoughts, details, attachments or tools, and no secrets', () => {
    expect(quote()).toEqual({
      messages: [
        { role: 'user', text: 'Look.\n[image]' },
        { role: 'assistant', text: 'It is ***.' },
      ],
      earlier: 0,
    });
  });

  it('adds calls and results where they are asked for, still without details and thoughts', () => {
    const quoted = quote({ includeTools: true });
    expect(quoted.messages[1]).toEqual({ role: 'assistant', text: '[calls read {"path":"a.md"}]' });
    expect(quoted.messages[2]).toEqual({ role: 'tool', text: 'read: the file' });
    expect(JSON.stringify(quoted)).not.toMatch(/details|my thought/u);
  });

  it('gives the last ones that fit, and counts those before', () => {
    expect(quote({ limit: 1 })).toEqual({
      messages: [{ role: 'assistant', text: 'It is ***.' }],
      earlier: 1,
    });
    const long = Array.from({ length: 10 }, (_, index) => user(text(`${index}`.repeat(5_000))));
    const quoted = quote({}, long);
    expect(quoted.messages).toHaveLength(6);
    expect(quoted.earlier).toBe(4);
    expect(quoted.messages[0]?.text).toHaveLength(2_000);
    expect(quoted.messages.at(-1)?.text.startsWith('9')).toBe(true);
  });
});
