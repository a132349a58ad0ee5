import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { createActingModel, works } from './actingModel.ts';
import { golden, traceOf, transcriptOf, wordsOf } from './describe.ts';
import { openConversation, talk } from './openConversation.ts';

// What the user says while a turn of the whole runtime runs: what is shown, what lies on disk, what the trace says.

const skipped = 'The user said something new, so this call was not carried out. Read it before you go on.';
const say = ({ runtime, session }: TestRuntime, text: string, kind: 'steer' | 'followUp' = 'steer') =>
  runtime.conversations.inbox.add(session.id, kind, text);
const inboxFile = ({ session }: TestRuntime): string => session.file.replace('.jsonl', '.inbox.json');

describe('steering through the whole runtime', () => {
  it('said before the turn, it enters before the first model call', async () => {
    await using world = await openConversation();
    await say(world, 'be quick');
    const model = createActingModel([{ text: 'Done.' }]);
    const { events } = await talk(world, 'work', model);
    expect(golden(events)).toEqual(['steered: be quick (0 skipped)', 'model: Done.', 'ended: completed']);
    expect(model.asked[0]?.messages.map(wordsOf)).toEqual(['work', 'be quick']);
  });

  it('said while the model answers, its calls are not carried out', async () => {
    await using world = await openConversation();
    const model = createActingModel([
      { ...works('a', 'b'), during: () => say(world, 'stop') },
      { text: 'I did.' },
    ]);
    const { events } = await talk(world, 'work', model);
    expect(golden(events)).toEqual([
      'model: [a] [b]',
      'end a (skipped: steered)',
      'end b (skipped: steered)',
      'steered: stop (2 skipped)',
      'model: I did.',
      'ended: completed',
    ]);
  });

  it('said between two calls, the rest is skipped; disk, trace and request say the same', async () => {
    await using world = await openConversation({ work: (on) => on === 'a' && say(world, 'c first') });
    const model = createActingModel([works('a', 'b', 'c'), { text: 'I see.' }]);
    const { turn } = await talk(world, 'work', model);
    const told = ['a: did a', `b: ${skipped}`, `c: ${skipped}`, 'user (steer): c first', 'model: I see.'];
    expect(await transcriptOf(world.session)).toEqual([
      'turn started',
      'user: work',
      'model: [a] [b] [c]',
      ...told,
      'turn completed',
    ]);
    expect(await traceOf(world, turn.runId)).toEqual([
      'message received',
      'model answered',
      'a allowed',
      'b skipped',
      'c skipped',
      'message received',
      'model answered',
      'message delivered',
      'completed',
    ]);
    expect(model.asked[1]?.messages.map(wordsOf).slice(2)).toEqual(['did a', skipped, skipped, 'c first']);
    expect(existsSync(inboxFile(world))).toBe(false);
  });

  const writesBoth = {
    toolCalls: [
      { id: 'a', name: 'write', arguments: { path: 'a.md', content: 'A' } },
      { id: 'b', name: 'write', arguments: { path: 'b.md', content: 'B' } },
    ],
  };
  const inWords = 'Denied: the user answered in words, which follow. Nothing was done.';

  it('said during a question, it is the answer: the call is denied, and the words follow', async () => {
    await using world = await openConversation();
    const model = createActingModel([writesBoth, { text: 'Only c, then.' }]);
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type === 'approval_requested') void say(world, 'only c');
    };
    const { events, turn } = await talk(world, 'write both', model, { onEvent });
    expect(golden(events)).toEqual([
      'model: [a] [b]',
      'start a',
      'asks: Write a.md',
      'answered: deny',
      'end a (error)',
      'end b (skipped: steered)',
      'steered: only c (1 skipped)',
      'model: Only c, then.',
      'ended: completed',
    ]);
    const read = model.asked[1]?.messages.map(wordsOf) ?? [];
    expect(read.slice(2)).toEqual([expect.stringContaining(inWords), skipped, 'only c']);
    expect(existsSync(`${world.workspace}/a.md`)).toBe(false);
    expect(await traceOf(world, turn.runId)).toEqual(
      expect.arrayContaining(['a denied by words', 'b skipped', 'message received']),
    );
    expect(world.runtime.approvals.history()).toMatchObject([{ by: 'words', resolution: 'deny' }]);
  });

  it('said in a new message of the panel during a question, the call is denied and the next turn reads the words', async () => {
    await using world = await openConversation();
    let hasNew = false;
    const onEvent = ({ type }: { readonly type: string }): void =>
      void (hasNew ||= type === 'approval_requested');
    const first = createActingModel([writesBoth]);
    const { outcome } = await talk(world, 'write both', first, { onEvent, shouldYield: () => hasNew });
    expect(outcome).toEqual({ status: 'yielded' });
    const model = createActingModel([{ text: 'I see.' }]);
    await talk(world, 'only c', model);
    const read = model.asked[0]?.messages.map(wordsOf) ?? [];
    expect(read.slice(2)).toEqual([
      expect.stringContaining(inWords),
      expect.stringContaining('new'),
      'only c',
    ]);
  });

  it.each([
    ['queued for the end', 'followUp', undefined],
    ['said by another agent', 'steer', 'agent'],
  ] as const)('what is %s answers no question', async (_, kind, from) => {
    await using world = await openConversation();
    const { approvals, conversations } = world.runtime;
    const model = createActingModel([writesBoth, { text: 'Done.' }, { text: 'And that.' }]);
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type !== 'approval_requested') return;
      const [question] = approvals.pending();
      approvals.noteShownWhole(question?.id ?? '', 'diff');
      void conversations.inbox
        .add(world.session.id, kind, 'and then c', from)
        .then(() => approvals.resolve(question?.id ?? '', 'allow-once', 'chat'));
    };
    await talk(world, 'write both', model, { onEvent });
    expect(existsSync(`${world.workspace}/a.md`)).toBe(true);
    expect(approvals.history()[0]).toMatchObject({ by: 'chat', resolution: 'allow-once' });
  });

  it('said while the final answer comes, that answer stays and the turn goes on', async () => {
    await using world = await openConversation();
    const model = createActingModel([
      { text: 'First.', during: () => say(world, 'and then?') },
      { text: 'Second.' },
    ]);
    const { events, outcome } = await talk(world, 'work', model);
    expect(golden(events)).toEqual([
      'model: First.',
      'steered: and then? (0 skipped)',
      'model: Second.',
      'ended: completed',
    ]);
    expect(outcome).toEqual({ status: 'completed', text: 'Second.' });
    expect(await transcriptOf(world.session)).toContain('user (steer): and then?');
  });

  it('said in a new message of the panel, the turn ends at that point and the next one goes on from it', async () => {
    let hasNew = false;
    await using world = await openConversation({ work: () => void (hasNew = true) });
    const shouldYield = (): boolean => hasNew;
    const { events, outcome, turn } = await talk(world, 'work', createActingModel([works('a', 'b')]), {
      shouldYield,
    });
    expect(outcome).toEqual({ status: 'yielded' });
    expect(golden(events).slice(-2)).toEqual(['end b (skipped: yielded)', 'ended: yielded']);
    expect((await traceOf(world, turn.runId)).at(-1)).toBe('completed');
    const model = createActingModel([{ text: 'I see.' }]);
    await talk(world, 'only a', model);
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'toolResult',
      'user',
    ]);
    expect(world.session.interruptedTurn()).toBeUndefined();
  });

  it('is judged by plugins before it is stored: what they block is nowhere', async () => {
    await using world = await openConversation({
      config: { plugins: { entries: { guard: { hooks: { allowConversationAccess: true } } } } },
      global: {
        guard: `module.exports = (api) => api.on('before_agent_run', ({ prompt }) =>
          prompt.includes('FORBIDDEN') ? { outcome: 'block', reason: 'no', message: 'Not that.' } : { outcome: 'pass' });`,
      },
      work: () => say(world, 'the FORBIDDEN plan'),
    });
    const model = createActingModel([works('a'), { text: 'Fine.' }]);
    const { turn } = await talk(world, 'work', model);
    const all = [...(await transcriptOf(world.session)), JSON.stringify(model.asked)].join('\n');
    expect(all).toContain('Not that.');
    expect(all).not.toContain('FORBIDDEN');
    await world.runtime.turns.traces.flush();
    expect(JSON.stringify(await world.runtime.turns.traces.get(turn.runId))).not.toContain('FORBIDDEN');
    expect(existsSync(inboxFile(world))).toBe(false);
  });
});

describe('follow-ups through the whole runtime', () => {
  it('wait until the turn would end; one that was removed is never read, an edited one as it was edited', async () => {
    await using world = await openConversation();
    const { inbox } = world.runtime.conversations;
    const waiting: string[] = [];
    const model = createActingModel([
      {
        ...works('a'),
        async during() {
          const first = await say(world, 'first', 'followUp');
          const second = await say(world, 'second', 'followUp');
          await say(world, 'third', 'followUp');
          await inbox.remove(world.session.id, first.id);
          await inbox.edit(world.session.id, second.id, { text: 'second, edited' });
          waiting.push(...inbox.list(world.session.id).map(({ text }) => text));
        },
      },
      { text: 'One.' },
      { text: 'Two.' },
      { text: 'Three.' },
    ]);
    const { events } = await talk(world, 'work', model);
    expect(waiting).toEqual(['second, edited', 'third']);
    expect(golden(events)).toEqual([
      'model: [a]',
      'start a',
      'end a',
      'model: One.',
      'follow-up: second, edited',
      'model: Two.',
      'follow-up: third',
      'model: Three.',
      'ended: completed',
    ]);
    expect((await transcriptOf(world.session)).join('\n')).not.toContain('first');
    expect(existsSync(inboxFile(world))).toBe(false);
  });

  it('wait on when the turn is cancelled, and a steering word is read before them', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    const cancelled = createActingModel([
      {
        ...works('a'),
        async during() {
          await say(world, 'later', 'followUp');
          conversations.stopTurn(world.session.id);
        },
      },
    ]);
    expect((await talk(world, 'work', cancelled)).outcome).toEqual({ status: 'cancelled' });
    expect(conversations.inbox.list(world.session.id).map(({ text }) => text)).toEqual(['later']);
    await say(world, 'now');
    const { events } = await talk(world, 'go on', createActingModel([{ text: 'Yes.' }, { text: 'Later.' }]));
    expect(golden(events)).toEqual([
      'steered: now (0 skipped)',
      'model: Yes.',
      'follow-up: later',
      'model: Later.',
      'ended: completed',
    ]);
  });
});
