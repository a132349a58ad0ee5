import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';
import { redactEntry } from './redactEntry.ts';

const redact = (text: string): string => text.replaceAll('hunter22', '[key removed]');
const ids = { id: 'e', parentId: null };
const said = (message: AgentMessage): SessionEntry => ({ type: 'message', ...ids, message });
const answer = (content: AssistantMessage['content']): SessionEntry =>
  said({ role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'stop', timestamp: 1 });

describe('redactEntry', () => {
  it.each<readonly [string, SessionEntry]>([
    [
      'what the user said',
      said({ role: 'user', content: [{ type: 'text', text: 'hunter22' }], timestamp: 1 }),
    ],
    ['an answer', answer([{ type: 'text', text: 'It is hunter22.' }])],
    ['a thought', answer([{ type: 'thinking', thinking: 'hunter22?' }])],
    [
      'a call',
      answer([{ type: 'toolCall', id: 'c', name: 'exec', arguments: { a: [{ b: 'x hunter22' }] } }]),
    ],
    [
      'a result',
      said({
        ...{ role: 'toolResult', toolCallId: 'c', toolName: 'exec', isError: false, timestamp: 1 },
        content: [{ type: 'text', text: 'hunter22' }],
        details: { out: ['hunter22'] },
      }),
    ],
    [
      'a summary',
      {
        ...{
          type: 'compaction',
          ...ids,
          summary: 'The password is hunter22.',
          firstKeptId: null,
          by: 'auto',
        },
        ...{
          model: { provider: 'p', model: 'm' },
          tokensBefore: 2,
          tokensAfter: 1,
          compactedCount: 1,
          timestamp: 1,
        },
      },
    ],
    ['a name', { type: 'name', ...ids, name: 'About hunter22' }],
  ])('takes a secret out of %s', (_what, entry) => {
    const text = JSON.stringify(redactEntry(entry, redact));
    expect(text).not.toContain('hunter22');
    expect(text).toContain('[key removed]');
  });

  it('takes the error of a failed answer with it', () => {
    const failed = answer([]);
    if (failed.type !== 'message' || failed.message.role !== 'assistant') throw new Error('no answer');
    const entry = said({ ...failed.message, errorMessage: 'wrong key hunter22' });
    expect(JSON.stringify(redactEntry(entry, redact))).toContain('wrong key [key removed]');
  });

  it('takes out what a property names as a secret, and leaves references and short values', () => {
    const given = {
      headers: { 'x-api-key': 'abcdefgh1', Authorization: 'AnyScheme', accept: 'text/plain' },
      DB_PASSWORD: 'correcthorse',
      password: '$DB_PASSWORD',
      secret: 'short',
      maxTokens: 'twelve thousand',
    };
    const [message] = [
      redactEntry(answer([{ type: 'toolCall', id: 'c', name: 'n', arguments: given }]), redact),
    ];
    expect(message).toMatchObject({
      message: {
        content: [
          {
            arguments: {
              ...given,
              headers: { 'x-api-key': '[key removed]', Authorization: '[key removed]', accept: 'text/plain' },
              DB_PASSWORD: '[key removed]',
            },
          },
        ],
      },
    });
  });

  it('keeps the seal of a thought byte for byte, unless the thought had to be changed', () => {
    const thinkingSignature = 'hunter22==';
    const entry = (thinking: string): SessionEntry =>
      answer([{ type: 'thinking', thinking, thinkingSignature }]);
    expect(redactEntry(entry('Hm.'), redact)).toEqual(entry('Hm.'));
    expect(redactEntry(entry('hunter22.'), redact)).toEqual(
      answer([{ type: 'thinking', thinking: '[key removed].' }]),
    );
  });

  it('leaves whatever holds no secret as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const entry = answer([{ type: 'toolCall', id: 'c', name: 'n', arguments: { value } }]);
        expect(redactEntry(entry, (text) => text)).toEqual(entry);
      }),
    );
  });

  it('ends for a value that holds itself', () => {
    const details: Record<string, unknown> = {};
    details['self'] = details;
    const entry = said({
      ...{
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 't',
        content: [],
        details,
        isError: false,
        timestamp: 1,
      },
    });
    expect(() => JSON.stringify(redactEntry(entry, redact))).not.toThrow();
  });
});
