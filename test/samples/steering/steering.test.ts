import { describe, expect, it } from 'vitest';
import { openTurnWorld } from '../../builders/openTurnWorld.ts';

// Golden traces of what the user says while a turn runs: what happens, in order, and what the model is asked with.

const skipped = 'The user said something new, so this call was not carried out. Read it before you go on.';

describe('steering', () => {
  it('before the first model call: the model reads it after the first words', async () => {
    await using world = await openTurnWorld();
    await world.steer('and be quick');
    await world.say('work');
    expect(world.trace).toEqual([
      'steered: and be quick (0 skipped)',
      'model 1: user: and be quick',
      'answer: Done.',
      'ended: completed',
    ]);
    expect(world.transcript()).toEqual(['user: work', 'user: and be quick', 'assistant: Done.']);
  });

  it('while the model streams: its calls are not carried out', async () => {
    await using world = await openTurnWorld({
      answers: [['a', 'b'], 'Stopped.'],
      at: { 'model 1': ({ steer }) => steer('stop') },
    });
    await world.say('work');
    expect(world.trace).toEqual([
      'model 1: user: work',
      'answer: [a b]',
      'end a (skipped steered)',
      'end b (skipped steered)',
      'steered: stop (2 skipped)',
      'model 2: user: stop',
      'answer: Stopped.',
      'ended: completed',
    ]);
  });

  it('between two calls: the rest is skipped, and the words enter before the next model call', async () => {
    await using world = await openTurnWorld({
      answers: [['a', 'b', 'c'], 'I see.'],
      at: { 'call a': ({ steer }) => steer('look at c first') },
    });
    await world.say('work');
    expect(world.trace).toEqual([
      'model 1: user: work',
      'answer: [a b c]',
      'start a',
      'end a',
      'end b (skipped steered)',
      'end c (skipped steered)',
      'steered: look at c first (2 skipped)',
      'model 2: user: look at c first',
      'answer: I see.',
      'ended: completed',
    ]);
    expect(world.transcript()).toEqual([
      'user: work',
      'assistant: [a b c]',
      'a: did a',
      `b: ${skipped}`,
      `c: ${skipped}`,
      'user: look at c first',
      'assistant: I see.',
    ]);
    expect(world.steps.filter((step) => step.kind === 'policy' && step.outcome === 'skipped')).toMatchObject([
      { toolCallId: 'b', reason: 'the user said something new' },
      { toolCallId: 'c', reason: 'the user said something new' },
    ]);
    const said = world.session.messages().find((each) => each.role === 'user' && each.via !== undefined);
    expect(said).toMatchObject({ via: 'steer', inboxId: expect.any(String) as string });
    const results = world.session.messages().filter((each) => each.role === 'toolResult');
    expect(results.map((each) => [each.isError, each.details])).toEqual([
      [false, undefined],
      [true, { status: 'skipped', reason: 'steered' }],
      [true, { status: 'skipped', reason: 'steered' }],
    ]);
  });

  it('after the last call: nothing is skipped', async () => {
    await using world = await openTurnWorld({
      answers: [['a'], 'Yes.'],
      at: { 'call a': ({ steer }) => steer('well?') },
    });
    await world.say('work');
    expect(world.trace.slice(3)).toEqual([
      'end a',
      'steered: well? (0 skipped)',
      'model 2: user: well?',
      'answer: Yes.',
      'ended: completed',
    ]);
  });

  it('while the final answer streams: it is delivered, and the turn goes on from there', async () => {
    await using world = await openTurnWorld({
      answers: ['First.', 'Second.'],
      at: { 'model 1': ({ steer }) => steer('more') },
    });
    expect(await world.say('work')).toEqual({ status: 'completed', text: 'Second.' });
    expect(world.transcript()).toEqual([
      'user: work',
      'assistant: First.',
      'user: more',
      'assistant: Second.',
    ]);
  });

  it('during an approval: the call that was asked about is carried out, the next one is not', async () => {
    await using world = await openTurnWorld({
      asks: true,
      answers: [['a', 'b'], 'Good.'],
      at: {
        async ask({ steer, answer }) {
          await steer('only a');
          answer('allow-once');
        },
      },
    });
    await world.say('work');
    expect(world.trace.slice(2)).toEqual([
      'start a',
      'end a',
      'end b (skipped steered)',
      'steered: only a (1 skipped)',
      'model 2: user: only a',
      'answer: Good.',
      'ended: completed',
    ]);
  });

  it('two at once: both enter, in the order they were said', async () => {
    await using world = await openTurnWorld({
      answers: [['a', 'b'], 'Good.'],
      at: {
        async 'call a'({ steer }) {
          await steer('one');
          await steer('two');
        },
      },
    });
    await world.say('work');
    expect(world.trace.slice(4)).toEqual([
      'end b (skipped steered)',
      'steered: one (1 skipped)',
      'steered: two (0 skipped)',
      'model 2: user: two',
      'answer: Good.',
      'ended: completed',
    ]);
  });

  it('what plugins see of it: message_received and before_agent_run for each, and the results of what was skipped', async () => {
    const seen: string[] = [];
    await using world = await openTurnWorld({
      answers: [['a', 'b'], 'Good.'],
      at: { 'call a': ({ steer }) => steer('new') },
    });
    world.on('message_received', (event) => void seen.push(`received ${event.content}`));
    world.on('before_agent_run', (event) => {
      seen.push(`gate ${event.prompt} after ${String(event.messages.length)}`);
      return { outcome: 'pass' };
    });
    world.on('before_tool_call', (event) => void seen.push(`before ${String(event.toolCallId)}`));
    world.on('tool_result_persist', (event) => {
      seen.push(`persist ${String(event.toolCallId)} ${String(event.isSynthetic)}`);
      return undefined;
    });
    await world.say('work');
    expect(seen).toEqual([
      'received work',
      'gate work after 0',
      'before a',
      'persist a false',
      'persist b true',
      'received new',
      'gate new after 4',
    ]);
  });

  it('what a plugin blocks is replaced, and is nowhere on disk, in the request or in the events', async () => {
    await using world = await openTurnWorld({
      answers: [['a', 'b'], 'Good.'],
      at: { 'call a': ({ steer }) => steer('the password is hunter2') },
    });
    world.on('before_agent_run', ({ prompt }) =>
      prompt.includes('hunter2')
        ? { outcome: 'block', reason: 'secret', message: 'kept back' }
        : { outcome: 'pass' },
    );
    expect(await world.say('work')).toMatchObject({ status: 'completed' });
    expect(world.transcript().at(-2)).toContain('kept back');
    const everywhere = [
      await world.stored(),
      JSON.stringify(world.asked),
      JSON.stringify(world.events),
    ].join();
    expect(everywhere).not.toContain('hunter2');
  });
});

it('a plugin that changes a message before it is stored can not say how it came, nor that another was read', async () => {
  await using world = await openTurnWorld({ at: { 'model 1': ({ queue }) => queue('later') } });
  let waiting = '';
  world.on('before_message_write', ({ message }) => ({
    message: { ...message, via: 'followUp', inboxId: waiting } as typeof message,
  }));
  await world.steer('now');
  waiting = world.inbox.list(world.session.id)[0]!.id;
  await world.say('work', { shouldYield: () => world.asked.length > 0 });
  const [first, second] = world.session.messages().filter((each) => each.role === 'user');
  expect(first).not.toHaveProperty('inboxId');
  expect(second).toMatchObject({ via: 'steer', inboxId: waiting });
  waiting = world.inbox.list(world.session.id)[0]!.id;
  await world.say('more', { inbox: { ...world.inbox, take: () => [] } });
  await using after = await world.reopen();
  expect(after.inbox.list(after.session.id).map((each) => each.text)).toEqual(['later']);
});

describe('follow-ups', () => {
  it('one: begins where the turn would end, and both answers are delivered', async () => {
    await using world = await openTurnWorld({
      answers: ['First.', ['a'], 'Second.'],
      at: { 'model 1': ({ queue }) => queue('then b') },
    });
    expect(await world.say('a')).toEqual({ status: 'completed', text: 'Second.' });
    expect(world.trace).toEqual([
      'model 1: user: a',
      'answer: First.',
      'follow-up: then b',
      'model 2: user: then b',
      'answer: [a]',
      'start a',
      'end a',
      'model 3: a: did a',
      'answer: Second.',
      'ended: completed',
    ]);
    const said = world.session.messages().filter((each) => each.role === 'user');
    expect(said.map((each) => each.via)).toEqual([undefined, 'followUp']);
  });

  it('two, one of them edited and a third removed while they wait', async () => {
    await using world = await openTurnWorld({
      answers: ['First.', 'Second.', 'Third.'],
      at: {
        async 'model 1'({ queue, inbox, session }) {
          await queue('b');
          await queue('c');
          await queue('d');
          const [, second, third] = inbox.list(session.id);
          await inbox.remove(session.id, second!.id);
          await inbox.edit(session.id, third!.id, { text: 'D' });
        },
      },
    });
    await world.say('a');
    expect(world.transcript()).toEqual([
      'user: a',
      'assistant: First.',
      'user: b',
      'assistant: Second.',
      'user: D',
      'assistant: Third.',
    ]);
    expect(world.inbox.list(world.session.id)).toEqual([]);
  });

  it('what the user says while the answer comes is read before what is queued', async () => {
    await using world = await openTurnWorld({
      at: {
        async 'model 1'({ queue, steer }) {
          await queue('later');
          await steer('now');
        },
      },
    });
    await world.say('a');
    expect(world.trace.filter((line) => line.startsWith('model'))).toEqual([
      'model 1: user: a',
      'model 2: user: now',
      'model 3: user: later',
    ]);
  });

  it('each final answer is judged by before_agent_finalize; a draft is neither stored nor delivered', async () => {
    await using world = await openTurnWorld({
      answers: ['draft 1', 'First.', 'draft 2', 'Second.'],
      at: { 'model 1': ({ queue }) => queue('next') },
    });
    world.on('before_agent_finalize', ({ lastAssistantMessage, stopHookActive }) =>
      lastAssistantMessage?.startsWith('draft') === true
        ? {
            action: 'revise',
            reason: `Finish it (${String(stopHookActive)}).`,
            retry: { instruction: 'No drafts.', maxAttempts: 2 },
          }
        : undefined,
    );
    await world.say('write');
    expect(world.trace).toEqual([
      'model 1: user: write',
      'model 2: user: Finish it (false).\n\nNo drafts.',
      'answer: First.',
      'follow-up: next',
      'model 3: user: next',
      'model 4: user: Finish it (true).\n\nNo drafts.',
      'answer: Second.',
      'ended: completed',
    ]);
    expect(await world.stored()).not.toContain('draft');
  });

  it('agent_end fires once, after the last of them', async () => {
    const seen: unknown[] = [];
    await using world = await openTurnWorld({
      answers: ['First.', 'Second.'],
      at: { 'model 1': ({ queue }) => queue('next') },
    });
    world.on('message_sent', ({ content }) => void seen.push(content));
    world.on('agent_end', ({ success, messages }) => void seen.push([success, messages.length]));
    await world.say('a');
    expect(seen).toEqual(['First.', [true, 4], 'Second.']);
  });

  it('wait on where the turn is cancelled or fails', async () => {
    await using world = await openTurnWorld({
      at: {
        async 'model 1'({ queue, cancel }) {
          await queue('later');
          cancel();
        },
      },
    });
    expect(await world.say('a')).toEqual({ status: 'cancelled' });
    expect(world.inbox.list(world.session.id).map((each) => each.text)).toEqual(['later']);
  });
});

describe('yielding', () => {
  it('ends the turn at the next steering point; the calls that were left are skipped', async () => {
    await using world = await openTurnWorld({
      answers: [['a', 'b']],
      at: { 'call a': ({ yieldNow }) => yieldNow() },
    });
    expect(await world.say('work')).toEqual({ status: 'yielded' });
    expect(world.trace.slice(2)).toEqual(['start a', 'end a', 'end b (skipped yielded)', 'ended: yielded']);
    expect(world.session.interruptedTurn()).toBeUndefined();
  });
});

describe('a crash between taking and storing', () => {
  it('a message that the transcript does not hold is read again', async () => {
    await using world = await openTurnWorld({
      at: { 'call a': ({ steer }) => steer('new') },
      answers: [['a']],
    });
    const left: string[] = [];
    world.on('before_agent_run', async ({ prompt }) => {
      if (prompt === 'new') {
        await using after = await world.reopen();
        left.push(...after.inbox.list(after.session.id).map((each) => each.text));
      }
      return { outcome: 'pass' };
    });
    await world.say('work');
    expect(left).toEqual(['new']);
  });

  it('one that it holds is not, even where the list could not be written any more', async () => {
    await using world = await openTurnWorld({
      at: { 'call a': ({ steer }) => steer('new') },
      answers: [['a']],
    });
    const { settle: _settle, ...rest } = world.inbox;
    const outcome = await world.say('work', {
      inbox: { ...rest, settle: () => Promise.reject(new Error('disk full')) },
    });
    expect(outcome.status).toBe('completed');
    expect(await world.stored()).toContain('"kind":"steer"');
    await using after = await world.reopen();
    expect(after.inbox.list(after.session.id)).toEqual([]);
    expect(after.transcript().filter((line) => line === 'user: new')).toHaveLength(1);
  });
});
