import { describe, expect, it } from 'vitest';
import type { ContextManager } from '../../../src/agent/context/createContextManager.ts';
import { childTrace, createTraceIds } from '../../../src/agent/turn.ts';
import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import type { ModelEvent } from '../../../src/contracts/model.ts';
import { PincerError } from '../../../src/base/errors.ts';
import { openTurnWorld, type TurnWorld } from '../../builders/openTurnWorld.ts';

const done: ModelEvent = { type: 'done', stopReason: 'stop', usage: { input: 10, output: 5 } };
const because = { code: 'model_quota', message: 'No quota.' };
const ofType = <T extends AgentEvent['type']>(
  world: TurnWorld,
  type: T,
): Extract<AgentEvent, { type: T }>[] =>
  world.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

describe('what a model writes', () => {
  it('thoughts, text and calls are kept in the order they came, thoughts with their seals', async () => {
    const events: ModelEvent[] = [
      { type: 'thinking', text: 'Hm, ' },
      { type: 'thinking', text: 'a.' },
      { type: 'thinkingEnd', signature: 'sealed' },
      { type: 'thinkingEnd', signature: 'hidden', redacted: true },
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look.' },
      { type: 'toolCall', id: 'a', name: 'work', arguments: { on: 'a' }, thoughtSignature: 'why' },
      { type: 'toolCall', id: 'a', name: 'work', arguments: { on: 'b' } },
      { type: 'done', stopReason: 'toolUse' },
    ];
    await using world = await openTurnWorld({ answers: [{ events }, 'Done.'] });
    await world.say('work');
    expect(world.asked[1]?.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Hm, a.', thinkingSignature: 'sealed' },
      { type: 'thinking', thinking: '', thinkingSignature: 'hidden', redacted: true },
      { type: 'text', text: 'I look.' },
      { type: 'toolCall', id: 'a', name: 'work', arguments: { on: 'a' }, thoughtSignature: 'why' },
      { type: 'toolCall', id: 'a-2', name: 'work', arguments: { on: 'b' } },
    ]);
    expect(ofType(world, 'thinking').map((event) => event.text)).toEqual(['Hm, ', 'a.']);
  });

  it('thoughts are not shown where a plugin must see answers first, and not kept where it changed the answer', async () => {
    const events: ModelEvent[] = [
      { type: 'thinking', text: 'It is hunter2.' },
      { type: 'text', text: 'hunter2' },
      done,
    ];
    await using world = await openTurnWorld({ answers: [{ events }] });
    world.on('message_sending', () => ({ content: 'no comment' }));
    await world.say('what is it?');
    expect(JSON.stringify(world.events)).not.toContain('hunter2');
    expect(await world.stored()).not.toContain('hunter2');
  });

  it('a model that stands in is named once, signs its answers, and its price counts', async () => {
    const to = {
      provider: 'q',
      model: 'n',
      name: 'N',
      contextWindow: 500,
      maxOutputTokens: 10,
      toolCalling: true,
      cost: { input: 1, output: 1 },
    };
    const fallback: ModelEvent = { type: 'fallback', to, because };
    await using world = await openTurnWorld({
      answers: [
        {
          events: [
            { type: 'retry', attempt: 1, waitMs: 5, because },
            fallback,
            { type: 'toolCall', id: 'a', name: 'work', arguments: { on: 'a' } },
            done,
          ],
        },
        { events: [fallback, { type: 'text', text: 'Hi.' }, done] },
      ],
    });
    const seen: unknown[] = [];
    world.on(
      'llm_output',
      ({ resolvedRef, contextTokenBudget }) => void seen.push([resolvedRef, contextTokenBudget]),
    );
    await world.say('hi');
    expect(ofType(world, 'model_retry')).toEqual([{ type: 'model_retry', attempt: 1, waitMs: 5, because }]);
    expect(ofType(world, 'model_fallback')).toEqual([{ type: 'model_fallback', to, because }]);
    expect(world.session.messages().at(-1)).toMatchObject({ provider: 'q', model: 'n' });
    expect(seen).toEqual([
      ['q/n', 500],
      ['q/n', 500],
    ]);
  });

  it('settings, the session and the raw stream reach the model', async () => {
    const raw: string[] = [];
    await using world = await openTurnWorld({
      input: { settings: { temperature: 0.2, thinking: 'low' }, onRaw: (chunk) => void raw.push(chunk) },
    });
    await world.say('hi');
    world.asked[0]?.onRaw?.('data: x');
    expect(world.asked[0]).toMatchObject({
      sessionId: world.session.id,
      settings: { temperature: 0.2, thinking: 'low' },
    });
    expect(raw).toEqual(['data: x']);
  });
});

describe('images', () => {
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };

  it('reach a model that sees them', async () => {
    await using world = await openTurnWorld({ info: { imageInput: true } });
    await world.say('look', { attachments: [image] });
    expect(world.asked[0]?.messages[0]?.content[1]).toEqual(image);
    expect(ofType(world, 'notice')).toEqual([]);
  });

  it('become a word for one that does not; the user is told once, the transcript keeps them', async () => {
    await using world = await openTurnWorld({ answers: [['a'], 'Done.'] });
    await world.say('look', { attachments: [image] });
    expect(JSON.stringify(world.asked.map((each) => each.messages))).not.toContain('AAAA');
    expect(world.asked[0]?.messages[0]?.content[1]).toMatchObject({
      text: '[An image was here. You can not see images: say so where it matters.]',
    });
    expect(world.trace.filter((line) => line.startsWith('notice'))).toEqual([
      'notice: Model M does not see images: it is told that there is one.',
    ]);
    expect(await world.stored()).toContain('AAAA');
  });
});

describe('trace ids', () => {
  it('are in every context of a run; a run that it starts carries them on', async () => {
    const contexts: Record<string, unknown>[] = [];
    const parent = createTraceIds();
    await using world = await openTurnWorld({
      answers: [['a'], 'Done.'],
      input: { trace: childTrace(parent) },
    });
    const hooks = [
      'message_received',
      'before_agent_reply',
      'before_tool_call',
      'after_tool_call',
      'message_sending',
    ] as const;
    for (const hook of hooks)
      world.on(hook, (_event: unknown, context: object) => void contexts.push({ hook, ...context }));
    await world.say('hi');
    const { traceId, spanId } = parent;
    const own = (contexts[0]?.['trace'] ?? {}) as { readonly spanId: string };
    expect(traceId).toMatch(/^[0-9a-f]{32}$/u);
    expect(own.spanId).toMatch(/^[0-9a-f]{16}$/u);
    expect(own.spanId).not.toBe(spanId);
    const trace = { traceId, spanId: own.spanId, parentSpanId: spanId };
    expect(contexts.map((each) => [each['hook'], each['trace']])).toEqual(hooks.map((hook) => [hook, trace]));
    expect(contexts[0]).toMatchObject({ ...trace, callDepth: 1 });
  });

  it('begin with a person: depth 0 and no parent; the agent is that of the session, the trigger what began the turn', async () => {
    const seen: object[] = [];
    await using world = await openTurnWorld();
    world.on('message_received', (_event, context) => void seen.push({ ...context }));
    world.on('llm_input', (_event, context) => void seen.push({ ...context }));
    await world.say('hi');
    expect(seen[0]).toMatchObject({ callDepth: 0 });
    expect(seen[0]).not.toHaveProperty('parentSpanId');
    expect(seen[1]).toMatchObject({ agentId: world.session.agentId, trigger: 'user' });
  });
});

describe('room in the window', () => {
  /** Compacts everything up to the last user message that the session holds. */
  function compacting(when: (force: boolean, call: number) => boolean): ContextManager {
    let count = 0;
    return {
      beginTurn: () => undefined,
      promptBudget: ({ contextWindow }) => contextWindow,
      noteAnswer: () => undefined,
      use: () => ({}) as ReturnType<ContextManager['use']>,
      compact: () => Promise.reject(new Error('not asked for')),
      async makeRoom(_request, force = false) {
        count += 1;
        if (!when(force, count)) return 'nothing';
        const entries = world.session.entries();
        const kept = entries.findLast((entry) => entry.type === 'message' && entry.message.role === 'user');
        await world.session.compact({
          summary: 'So far so good.',
          firstKeptId: kept?.id ?? null,
          by: 'auto',
          model: { provider: 'p', model: 'm' },
          tokensBefore: 2,
          tokensAfter: 1,
          compactedCount: 1,
          timestamp: 0,
        });
        return 'compacted';
      },
    };
  }
  let world: TurnWorld;

  it('after a compaction the model reads the summary and this turn as it was, with what plugins added to it', async () => {
    world = await openTurnWorld({
      answers: ['Hello.', ['a'], 'Done.'],
      context: compacting((_force, call) => call === 3),
    });
    await using _closed = world;
    world.on('before_prompt_build', () => ({ prependContext: 'It rains.' }));
    await world.say('hi');
    await world.say('work');
    const texts = world.asked[2]?.messages.map((each) =>
      each.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|'),
    );
    expect(texts).toEqual([
      expect.stringContaining('So far so good.'),
      'It rains.|work',
      'toolCall',
      'did a',
    ]);
  });

  it('a draft that a plugin wants revised stays, though it is not stored', async () => {
    world = await openTurnWorld({
      answers: ['Hello.', 'draft', 'Final.'],
      context: compacting((_force, call) => call === 3),
    });
    await using _closed = world;
    world.on('before_agent_finalize', ({ lastAssistantMessage }) =>
      lastAssistantMessage === 'draft' ? { action: 'revise', reason: 'More.' } : undefined,
    );
    await world.say('hi');
    await world.say('write');
    expect(world.asked[2]?.messages.map((each) => each.content[0])).toMatchObject([
      { text: expect.stringContaining('So far') as string },
      { text: 'write' },
      { text: 'draft' },
      { text: 'More.' },
    ]);
  });

  it('a request that is refused as too long is shortened and sent again, once', async () => {
    const tooLong = new PincerError('model_context_overflow', 'Too long.', { hint: 'Shorten it.' });
    world = await openTurnWorld({
      answers: ['Hello.', { fails: tooLong }, 'Done.'],
      context: compacting((force) => force),
    });
    await using _closed = world;
    await world.say('hi');
    expect(await world.say('work')).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(world.asked).toHaveLength(3);
  });
});
