import { describe, expect, it } from 'vitest';
import { createScriptedModel, openContextWorld } from '../../../test/builders/openContextWorld.ts';
import { calls, result, says, user } from '../../../test/builders/transcriptLines.ts';
import { PincerError } from '../../base/errors.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import { builtInModelInfo } from '../../models/builtIn/builtInModelInfo.ts';
import { estimateMessages } from './estimateTokens.ts';

/** About so many tokens: each word is one. */
const long = (tokens: number): string => 'word '.repeat(tokens);

/** About 3,200 tokens; the window of the scripted model is 4,000 and is compacted at 3,000. */
const fullSession: readonly AgentMessage[] = [
  user('First goal'),
  calls(['a', 'write', { path: 'src/a.ts' }], ['b', 'exec', { command: 'npm test' }]),
  result('a', long(1_400)),
  result('b', long(1_400)),
  says('The first is done.'),
  user('Second goal'),
  says(long(300)),
  user('Third goal'),
];

const summary = { text: '## Goals\nAll three.' };

function textIn(message: AgentMessage | undefined): string {
  return (message?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('makeRoom', () => {
  it('does nothing while the request leaves room for an answer', async () => {
    await using world = await openContextWorld({ messages: [user('hello')] });
    const model = createScriptedModel([]);
    expect(await world.manager.makeRoom(world.request(model))).toBe('nothing');
    expect([model.asked, world.events]).toEqual([[], []]);
  });

  it('compacts a full request: one more line, a shorter conversation, and who listens is told', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const lines = world.session.entries().length;
    const model = createScriptedModel([summary]);
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
    expect(world.session.entries()).toHaveLength(lines + 1);
    const [first, ...kept] = world.session.messages();
    expect(textIn(first)).toContain('All three.');
    expect(kept.map(textIn)).toEqual(['The first is done.', 'Second goal', long(300), 'Third goal']);
    expect(world.events).toMatchObject([
      { type: 'compaction_started' },
      {
        type: 'compaction_ended',
        entry: { by: 'auto', compactedCount: 4, firstKeptId: expect.any(String) as string },
      },
      { type: 'usage', use: { context: { isEstimated: true, window: 4_000, compactAt: 3_000 } } },
    ]);
    expect(world.steps).toMatchObject([{ kind: 'compaction', outcome: 'compacted', durationMs: 0 }]);
  });

  it('estimates the conversation before and after as what models read', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const before = estimateMessages(world.session.messages());
    await world.manager.makeRoom(world.request(createScriptedModel([summary])));
    const entry = world.session.entries().at(-1);
    expect(entry).toMatchObject({ type: 'compaction', tokensBefore: before });
    const after = estimateMessages(world.session.messages());
    // The line above the summary is the session's own.
    expect(Math.abs((entry?.type === 'compaction' ? entry.tokensAfter : 0) - after)).toBeLessThan(30);
  });

  it('lists files and commands by the calls, whatever the model wrote', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    await world.manager.makeRoom(world.request(createScriptedModel([summary])));
    const text = textIn(world.session.messages()[0]);
    expect(text).toContain('## Files changed so far\n- src/a.ts');
    expect(text).toContain('- npm test');
  });

  it('is cumulative: the next summary is written with the last one, and its files stay listed', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const model = createScriptedModel([summary, { text: 'Second summary.' }]);
    await world.manager.makeRoom(world.request(model));
    await world.say(
      calls(['c', 'edit', { path: 'b.ts' }]),
      result('c', long(2_700)),
      says('x'),
      user('Fourth goal'),
    );
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
    const asked = textIn(model.asked[1]?.messages[0]);
    expect(asked).toContain('All three.');
    expect(asked).toContain('Third goal');
    expect(asked).not.toContain('Taken from the transcript');
    const text = textIn(world.session.messages()[0]);
    expect(text).toContain('Second summary.');
    expect(text).toContain('## Files changed so far\n- src/a.ts\n- b.ts');
    expect(world.session.entries().at(-1)).toMatchObject({ compactedCount: 4 + 6 });
  });

  it('keeps the request of a running turn word for word where its own calls fill the window', async () => {
    await using world = await openContextWorld({
      messages: [user('Do this\nexactly'), calls(['a', 'read']), result('a', long(3_000))],
    });
    expect(await world.manager.makeRoom(world.request(createScriptedModel([summary])))).toBe('compacted');
    const [only, ...rest] = world.session.messages();
    expect(rest).toEqual([]);
    expect(textIn(only)).toContain('> Do this\n> exactly');
    // The result that the model has not worked with yet is quoted, shortened, with a note.
    expect(textIn(only)).toMatch(/word word[^]*characters left out/u);
  });

  it('says so where the message alone is too long for the window, and stores nothing', async () => {
    await using world = await openContextWorld({ messages: [user('hi'), says('hello'), user(long(3_500))] });
    const model = createScriptedModel([summary]);
    expect(await world.manager.makeRoom(world.request(model))).toBe('failed');
    expect(world.events.at(-1)).toMatchObject({
      type: 'compaction_failed',
      because: {
        code: 'model_context_overflow',
        message: expect.stringContaining('too long for M') as string,
      },
    });
    expect(model.asked).toEqual([]);
    expect(world.session.messages()).toHaveLength(3);
  });

  it('compacts when the server refused the request, whatever we had estimated', async () => {
    await using world = await openContextWorld({
      messages: fullSession.slice(0, 6),
      config: { keepTokens: 20_000 },
    });
    const model = createScriptedModel([summary], { contextWindow: 100_000 });
    expect(await world.manager.makeRoom(world.request(model))).toBe('nothing');
    expect(await world.manager.makeRoom(world.request(model), true)).toBe('compacted');
  });

  it('asks with less where the server reads less than its window says', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const tooLong = new PincerError('model_context_overflow', 'Too long.');
    const model = createScriptedModel([{ fails: tooLong }, summary, summary, summary, summary]);
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
    const length = (index: number): number => textIn(model.asked[index]?.messages[0]).length;
    expect(length(1)).toBeLessThan(length(0));
  });

  it('does not compact by itself where the config says no', async () => {
    await using world = await openContextWorld({ messages: fullSession, config: { enabled: false } });
    const model = createScriptedModel([summary]);
    expect(await world.manager.makeRoom(world.request(model))).toBe('nothing');
    expect(await world.manager.makeRoom(world.request(model), true)).toBe('nothing');
  });

  it('has the model write that the config names', async () => {
    const small = createScriptedModel([summary], { provider: 'q', model: 'small' });
    await using world = await openContextWorld({
      messages: fullSession,
      config: { model: 'q/small' },
      models: { 'q/small': small },
    });
    const model = createScriptedModel([]);
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
    expect(small.asked).toHaveLength(1);
    expect(world.session.entries().at(-1)).toMatchObject({ model: { provider: 'q', model: 'small' } });
  });

  it('offers no tools, and bounds the length of the answer', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const model = createScriptedModel([summary]);
    await world.manager.makeRoom(world.request(model));
    expect(model.asked[0]).toMatchObject({ tools: [], settings: { maxTokens: 400, thinking: 'off' } });
  });
});

describe('a failed compaction', () => {
  const offline = { fails: new PincerError('model_offline', 'M is offline.') };

  it.each([
    ['the model fails', offline, 'model_offline'],
    ['the summary is empty', { text: '  \n' }, 'summary_empty'],
    ['the summary is longer than what it stands for', { text: long(3_500) }, 'summary_too_long'],
  ])('leaves the conversation as it was where %s', async (_why, step, code) => {
    await using world = await openContextWorld({ messages: fullSession });
    const before = world.session.messages();
    expect(await world.manager.makeRoom(world.request(createScriptedModel([step])))).toBe('failed');
    expect(world.session.messages()).toEqual(before);
    expect(world.events).toMatchObject([
      { type: 'compaction_started' },
      { type: 'compaction_failed', because: { code } },
    ]);
    expect(world.steps).toMatchObject([{ kind: 'compaction', outcome: 'failed' }]);
  });

  it('is not tried again before the request has grown by a tenth', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const model = createScriptedModel([offline, summary]);
    await world.manager.makeRoom(world.request(model));
    expect(await world.manager.makeRoom(world.request(model))).toBe('nothing');
    await world.say(says(long(350)), user('Fourth goal'));
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
    expect(model.asked).toHaveLength(2);
  });

  it('ends after 60 s', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const room = world.manager.makeRoom(
      world.request(
        createScriptedModel([
          () => {
            queueMicrotask(() => world.hooks.clock.advance(60_000));
            return 'hangs';
          },
        ]),
      ),
    );
    expect(await room).toBe('failed');
    expect(world.events.at(-1)).toMatchObject({ because: { code: 'model_timeout' } });
  });

  it('ends at once when the turn is cancelled, even where the model does not', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const lines = world.session.entries().length;
    const abort = new AbortController();
    const model = createScriptedModel([
      () => {
        queueMicrotask(() => abort.abort());
        return 'hangs';
      },
    ]);
    const room = world.manager.makeRoom(world.request(model, { signal: abort.signal }));
    await expect(room).rejects.toMatchObject({ code: 'cancelled' });
    expect(world.session.entries()).toHaveLength(lines);
    expect(world.events).toEqual([{ type: 'compaction_started' }]);
  });
});

describe('compact', () => {
  const signal = new AbortController().signal;

  it("shortens at the user's wish, and tells the model what to keep", async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const model = createScriptedModel([summary], { contextWindow: 128_000 });
    const done = await world.manager.compact({ model, instructions: 'the port numbers', signal });
    expect(done).toMatchObject({ status: 'compacted', entry: { by: 'user' } });
    expect(textIn(model.asked[0]?.messages[0])).toContain('the port numbers');
  });

  it('says why where there is nothing to shorten', async () => {
    await using world = await openContextWorld({ messages: [user('hello'), says('hi'), user('and?')] });
    expect(await world.manager.compact({ model: createScriptedModel([]), signal })).toEqual({
      status: 'nothing',
      reason: 'There is too little before the latest messages to shorten.',
    });
  });

  it('is noticed by a turn that runs', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const model = createScriptedModel([summary], { contextWindow: 128_000 });
    world.manager.beginTurn();
    await world.manager.compact({ model, signal });
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
    expect(await world.manager.makeRoom(world.request(model))).toBe('nothing');
  });

  it('keeps what is said while the summary is being written', async () => {
    await using world = await openContextWorld({
      messages: [user('do it'), says(long(900))],
      config: { keepTokens: 100 },
    });
    const model = createScriptedModel([
      (): typeof summary => {
        void world.say(user('meanwhile'));
        return summary;
      },
    ]);
    expect(await world.manager.compact({ model, signal })).toMatchObject({ status: 'compacted' });
    expect(world.session.messages().map(textIn).at(-1)).toBe('meanwhile');
  });

  it('takes an extract of the words of the user where the built-in model answers', async () => {
    await using world = await openContextWorld({ messages: fullSession });
    const builtIn = createScriptedModel([], builtInModelInfo);
    expect(await world.manager.compact({ model: builtIn, signal })).toMatchObject({ status: 'compacted' });
    const text = textIn(world.session.messages()[0]);
    expect(text).toContain('- First goal\n');
    expect(text).toContain('- src/a.ts');
    expect(text).not.toContain('word word');
    expect(world.manager.use(builtIn.info).session).toMatchObject({ calls: 5 - 2, cost: 0 });
  });
});
