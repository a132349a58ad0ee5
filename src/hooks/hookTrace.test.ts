import { describe, expect, it } from 'vitest';
import { createTestHooks, toolCall, toolContext } from '../../test/builders/createTestHooks.ts';
import type { HandlerContext, HandlerEvent } from './hookMap.ts';

describe('context and trace', () => {
  it('gives a handler an abort signal that copying the context leaves out', async () => {
    const { runner, on } = createTestHooks();
    let ctx: HandlerContext<'agent_end'> | undefined;
    on('agent_end', 'a', (_event: HandlerEvent<'agent_end'>, own) => void (ctx = own));
    await runner.observe('agent_end', { messages: [], success: true }, { runId: 'r1' });
    expect(ctx?.abortSignal).toBeInstanceOf(AbortSignal);
    expect({ ...ctx }).toEqual({ runId: 'r1' });
    expect(structuredClone(ctx)).toEqual({ runId: 'r1' });
  });

  it('writes one trace line for each call: who, how long, what became of it', async () => {
    const { runner, on, clock, traces } = createTestHooks({ trace: true });
    on('before_tool_call', 'silent', () => undefined);
    on('before_tool_call', 'editor', () => {
      clock.advance(5);
      return { params: { path: 'b' } };
    });
    on('before_tool_call', 'guard', () => ({ block: true }));
    await runner.modify('before_tool_call', toolCall, toolContext);
    expect(traces).toMatchObject([
      { hook: 'before_tool_call', pluginId: 'silent', startedAt: 0, durationMs: 0, outcome: 'nothing' },
      {
        pluginId: 'editor',
        durationMs: 5,
        outcome: 'changed',
        changes: [{ path: 'params.path', before: 'a.txt', after: 'b' }],
      },
      {
        pluginId: 'guard',
        startedAt: 5,
        outcome: 'decided',
        decision: { kind: 'blocked', reason: 'Tool call blocked by plugin hook' },
      },
    ]);
    expect(traces.every((line) => line.context === toolContext)).toBe(true);
  });

  it('tells a change against what this handler saw, not against the first event', async () => {
    const { runner, on, traces } = createTestHooks({ trace: true });
    on('message_sending', 'a', (event) => ({ content: `${event.content}!` }));
    on('before_tool_call', 'one', () => ({ params: { path: 'b' } }));
    on('before_tool_call', 'two', () => ({ params: { path: 'c', mode: 'x' } }));
    await runner.modify('before_tool_call', toolCall, toolContext);
    expect(traces[1]?.changes).toEqual([
      { path: 'params.path', before: 'b', after: 'c' },
      { path: 'params.mode', after: 'x' },
    ]);
  });

  it('tells of a hook that may redact only by size', async () => {
    const { runner, on, traces } = createTestHooks({ trace: true });
    on('message_sending', 'redactor', () => ({ content: 'the ***' }));
    await runner.modify('message_sending', { to: 'user', content: 'the secret' }, { channelId: 'cli' });
    expect(JSON.stringify(traces)).not.toContain('secret');
    expect(traces[0]?.changes).toEqual([
      { path: 'content', before: '10 characters', after: '7 characters', isHidden: true },
    ]);
  });

  it.each([
    ['message_sending', { cancel: true, cancelReason: 'rude' }, { kind: 'cancelled', reason: 'rude' }],
    ['before_agent_finalize', { action: 'revise', reason: 'short' }, { kind: 'revised', reason: 'short' }],
    ['before_agent_finalize', { action: 'finalize' }, { kind: 'accepted' }],
    ['before_tool_call', { requireApproval: { title: 'Sure?' } }, { kind: 'asked', reason: 'Sure?' }],
  ] as const)('names the decision of a %s handler that returned %j', async (hook, result, decision) => {
    const { runner, add, traces } = createTestHooks({ trace: true });
    add(hook, 'p', () => result);
    const events = { before_tool_call: toolCall, message_sending: { to: 'user', content: 'x' } };
    await runner.modify(hook, (events as Record<string, object>)[hook] as never, {});
    expect(traces).toMatchObject([{ outcome: 'decided', decision }]);
  });

  it('names a claim, a pass, a failure and a timeout', async () => {
    const { runner, add, traces, clock } = createTestHooks({ trace: true });
    add('before_agent_reply', 'claimer', () => ({ handled: true, reply: 'x' }));
    await runner.claim('before_agent_reply', { cleanedBody: 'x' }, {});
    add('before_agent_run', 'gate', () => ({ outcome: 'pass' }));
    await runner.gate('before_agent_run', { prompt: 'hello', messages: [], systemPrompt: '' }, {});
    add('before_tool_call', 'broken', () => Promise.reject(new Error('boom')));
    await runner.modify('before_tool_call', toolCall, toolContext);
    add('agent_end', 'slow', () => new Promise(() => undefined));
    const ended = runner.observe('agent_end', { messages: [], success: true }, {});
    clock.advance(1_000);
    await ended;
    expect(traces).toMatchObject([
      { outcome: 'decided', decision: { kind: 'claimed' } },
      { outcome: 'decided', decision: { kind: 'passed' } },
      { outcome: 'failed', error: 'boom', decision: { kind: 'blocked' } },
      { outcome: 'timed-out', durationMs: 1_000 },
    ]);
  });
});
