import { expect, it } from 'vitest';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import { createRunPrinter } from './createRunPrinter.ts';

it('an answer keeps its lines and tabs and can not steer the terminal', () => {
  let out = '';
  let err = '';
  const print = createRunPrinter({ out: (text) => void (out += text), err: (text) => void (err += text) });
  const events: readonly unknown[] = [
    { type: 'text', text: 'a\tb\n\u001B]52;c;' },
    { type: 'text', text: 'ZXZpbA==\u0007\u202E\u009B2J' },
    { type: 'tool_started', label: 'Read \u001B[2Jx\nerror: none', target: '' },
    { type: 'tool_ended', result: { isError: true, content: [{ type: 'text', text: 'no\u001Bluck' }] } },
    { type: 'run_ended', outcome: { status: 'blocked', text: 'no\u0007 way' } },
  ];
  for (const event of events) print(event as AgentEvent);
  expect(out).toBe('a\tb\n]52;c;ZXZpbA==2J\nno way\n');
  expect(err).toBe('› Read [2Jx error: none\n  noluck\n');
});

/** What a run prints for some events. */
function printed(...events: readonly unknown[]): { out: string; err: string } {
  const all = { out: '', err: '' };
  const print = createRunPrinter({
    out: (text) => void (all.out += text),
    err: (text) => void (all.err += text),
  });
  for (const event of events) print(event as AgentEvent);
  return all;
}

it('says on standard error what happens between model and user, each on a line of its own', () => {
  const because = { code: 'model_rate_limited', message: 'rate limited\u001B[2J' };
  const message = { content: [{ type: 'text', text: 'then\nthe hull' }] };
  const { out, err } = printed(
    { type: 'waiting', for: 'session' },
    { type: 'model_retry', attempt: 1, waitMs: 20_000, because },
    { type: 'model_fallback', to: { provider: 'p', model: 'm', name: 'Other' }, because },
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'So far' },
    { type: 'steered', message, skipped: 2 },
    { type: 'text', text: 'Done' },
    { type: 'follow_up', message },
    { type: 'notice', text: 'The model sees no images.' },
    {
      type: 'subagent_call_ended',
      label: 'scout\u001B',
      result: { details: {} },
      facts: { file: '/w/ahead.md', status: 'created' },
    },
    { type: 'compaction_started' },
    { type: 'compaction_ended', entry: { compactedCount: 1, tokensBefore: 900, tokensAfter: 100 } },
    { type: 'compaction_failed', because },
  );
  expect(out).toBe('So far\nDone\n');
  expect(err.split('\n')).toEqual([
    'Another window or program is using this session. This message waits until it is done.',
    'Retrying in 20 s: rate limited[2J',
    'Falling back to Other: rate limited[2J',
    'Your message reached the model; 2 calls skipped.',
    'Next: then the hull',
    'The model sees no images.',
    '› scout: created /w/ahead.md',
    'Compacting the conversation, to make room.',
    '1 message compacted: about 900 tokens before, 100 now.',
    'The conversation could not be compacted: rate limited[2J',
    '',
  ]);
});
