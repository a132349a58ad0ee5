import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMessage, TextPart } from '../../../contracts/message.ts';
import type { TurnState } from '../../../contracts/session.ts';
import { renderTranscript } from './renderTranscript.ts';

const header = JSON.stringify({ type: 'session', version: 1, id: 'x', createdAt: 1, folders: ['/w'] });

function user(text: string, more: readonly TextPart[] = []): AgentMessage {
  return { role: 'user', content: [{ type: 'text', text }, ...more], timestamp: 1 };
}

function assistant(text: string): AgentMessage {
  const content = [{ type: 'text', text } as const];
  return { role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'stop', timestamp: 2 };
}

function line(what: AgentMessage | TurnState): string {
  const base = { id: 'i', parentId: null };
  return JSON.stringify(
    typeof what === 'string'
      ? { type: 'turn', ...base, runId: 'r', state: what }
      : { type: 'message', ...base, message: what },
  );
}

function transcript(...all: readonly (AgentMessage | TurnState)[]): string {
  return [header, ...all.map(line)].join('\n');
}

describe('renderTranscript', () => {
  it.each([
    ['a tenant', { tenantId: 'a' }],
    ['whom nobody can tell', 'a'],
  ])('gives nothing of a session that belongs to %s: all agents search the same index', (_, tenant) => {
    const owned = JSON.stringify({ ...(JSON.parse(header) as object), tenant });
    expect(renderTranscript([owned, line(user('One'))].join('\n'))).toEqual({ text: '' });
    const nobody = JSON.stringify({ ...(JSON.parse(header) as object), tenant: { userId: 'u' } });
    expect(renderTranscript([nobody, line(user('One'))].join('\n')).text).toBe('User: One\n');
  });

  it('gives what was said', () => {
    const jsonl = transcript(
      'started',
      user('Where is the key?\nI lost it.'),
      assistant('In the drawer.'),
      'completed',
    );
    expect(renderTranscript(jsonl)).toEqual({
      text: 'User: Where is the key?\nI lost it.\n\nAssistant: In the drawer.\n',
    });
  });

  it('skips the blank lines that the session store leaves between entries', () => {
    const jsonl = `${header}\n${line(user('Hello'))}\n\n${line(assistant('Good day'))}\n`;
    expect(renderTranscript(jsonl)).toMatchObject({
      text: 'User: Hello\n\nAssistant: Good day\n',
    });
  });

  it('leaves out what tools returned and what was attached', () => {
    const attached = { type: 'text', text: 'attached', isContext: true } as const;
    const result: AgentMessage = {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'read',
      content: [{ type: 'text', text: 'file text' }],
      isError: false,
      timestamp: 3,
    };
    const call = { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'secret.md' } } as const;
    const calling = {
      ...assistant('Let me look'),
      content: [{ type: 'text', text: 'Let me look' } as const, call],
    };
    const jsonl = transcript(
      'started',
      user('Read it', [attached]),
      calling as AgentMessage,
      result,
      assistant('Done'),
    );
    expect(renderTranscript(jsonl).text).toBe('User: Read it\n\nAssistant: Let me look\n\nAssistant: Done\n');
  });

  it('leaves out a turn that a plugin blocked, and keeps one that failed or still runs', () => {
    const blocked = [user('[blocked by the policy]'), 'completed'] as const;
    const jsonl = transcript('started', user('One'), 'failed', 'started', ...blocked, 'started', user('Two'));
    expect(renderTranscript(jsonl).text).toBe('User: One\n\nUser: Two\n');
  });

  it('goes on after lines that can not be read, such as one that a crash cut short', () => {
    const whole = transcript(user('One'), assistant('Two'));
    const torn = `${whole.slice(0, -20)}\n\n{"type":"message","message":{"content":[1]}}\n${line(assistant('Three'))}`;
    expect(renderTranscript(torn).text).toBe('User: One\n\nAssistant: Three\n');
    expect(renderTranscript('')).toEqual({ text: '' });
  });

  it('removes keys', () => {
    expect(renderTranscript(transcript(user(`my key is AKIAIOSFODNN7EXAMPLE`))).text).toBe(
      'User: my key is [key removed]\n',
    );
  });

  it('closes a code block that was left open, so that the next words are none', () => {
    const jsonl = transcript(assistant('```ts\nconst a'), assistant('~~~\nb\n~~~'), user('c'));
    expect(renderTranscript(jsonl).text).toBe(
      'Assistant: ```ts\nconst a\n```\n\nAssistant: ~~~\nb\n~~~\n\nUser: c\n',
    );
  });

  it('renders any beginning of a transcript, and nothing that was not said', () => {
    const said = fc.array(fc.oneof(fc.string().map(user), fc.string().map(assistant)), { maxLength: 6 });
    fc.assert(
      fc.property(said, fc.nat(40), (messages, cut) => {
        const jsonl = transcript(...messages);
        const { text } = renderTranscript(jsonl.slice(0, Math.max(0, jsonl.length - cut)));
        expect(renderTranscript(jsonl).text.startsWith(text.trimEnd())).toBe(true);
      }),
    );
  });
});
