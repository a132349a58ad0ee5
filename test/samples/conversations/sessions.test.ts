import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversations } from '../../../src/runtime/conversations.ts';
import { createActingModel, neverEnds, works } from './actingModel.ts';
import { transcriptOf, wordsOf } from './describe.ts';
import { openConversation, startTalk, talk } from './openConversation.ts';

const { signal } = new AbortController();
const answers = (...texts: readonly string[]) => createActingModel(texts.map((text) => ({ text })));

/** Counts how often a list would be drawn again. */
function listen({ onDidChange }: Conversations): { heard(): number } {
  let count = 0;
  onDidChange(() => void (count += 1));
  return { heard: () => count };
}

describe('the list of conversations', () => {
  it('has a fork at a turn: the new one knows what came before, the old one stays as it was', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    await talk(world, 'one', answers('First.'));
    const { turn } = await talk(world, 'two', answers('Second.'));
    const before = await transcriptOf(world.session);
    const fork = await conversations.fork(world.session.id, { beforeRunId: turn.runId });
    const model = answers('Other.');
    await talk(world, 'instead', model, { session: fork });
    expect(model.asked[0]?.messages.map(wordsOf)).toEqual(['one', 'First.', 'instead']);
    expect(await transcriptOf(world.session)).toEqual(before);
    expect((await transcriptOf(fork)).slice(0, 6)).toEqual([
      ...before.slice(0, 4),
      'turn started',
      'user: instead',
    ]);
    expect(fork.header.parent?.sessionId).toBe(world.session.id);
    expect(fork.key).not.toBe(world.session.key);
  });

  it('has the name that the user gave, in the list and in the export', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    await talk(world, 'one', answers('First.'));
    const { heard } = listen(conversations);
    await conversations.rename(world.session.id, 'The plan');
    expect(heard()).toBe(1);
    expect(await conversations.summaries()).toMatchObject([
      { id: world.session.id, title: 'The plan', isNamed: true, messageCount: 2, isInterrupted: false },
    ]);
    const markdown = await conversations.exportMarkdown(world.session.id);
    expect(markdown).toContain('The plan');
    expect(markdown).toContain('First.');
  });

  it('finds what was said in any of them, and not what tools returned', async () => {
    await using world = await openConversation({ work: () => 'The dirigible sank.' });
    const { conversations } = world.runtime;
    await talk(world, 'look', createActingModel([works('a'), { text: 'The Zeppelin has landed.' }]));
    await talk(world, 'nothing here', answers('No.'), { session: conversations.create() });
    const hits = await conversations.search('zeppelin landed', signal);
    expect(hits.map(({ summary }) => summary.id)).toEqual([world.session.id]);
    expect(hits[0]?.snippet).toContain('Zeppelin');
    expect(await conversations.search('dirigible', signal)).toEqual([]);
  });

  it('tells of a turn that begins and ends, and knows which one runs', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    const seen: number[] = [];
    conversations.onDidChange(() => seen.push(conversations.runningTurns().length));
    const running: unknown[] = [];
    await talk(world, 'one', answers('First.'), {
      onEvent: ({ type }) => {
        if (type === 'text') running.push(conversations.running(world.session.id)?.session);
      },
    });
    expect(running).toEqual([world.session]);
    expect(seen[0]).toBe(1);
    expect(seen.at(-1)).toBe(0);
    expect(conversations.running(world.session.id)).toBeUndefined();
  });
});

describe('a conversation that is deleted while it runs', () => {
  it('is cancelled, leaves no file and is off the list', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    const { id, file } = world.session;
    await talk(world, 'one', answers('First.'));
    await conversations.inbox.add(id, 'followUp', 'later');
    const { turn, events } = await startTalk(
      world,
      'work',
      createActingModel([{ text: 'I think …', during: neverEnds }]),
    );
    await expect.poll(() => events.some(({ type }) => type === 'text')).toBe(true);
    const { heard } = listen(conversations);
    await conversations.remove(id);
    expect(await turn.outcome).toEqual({ status: 'cancelled' });
    await turn.settled;
    expect((await readdir(dirname(file))).filter((name) => name.includes(id))).toEqual([]);
    expect(await conversations.summaries()).toEqual([]);
    expect(conversations.inbox.list(id)).toEqual([]);
    expect(conversations.running(id)).toBeUndefined();
    expect(heard()).toBeGreaterThan(0);
    await expect(conversations.exportMarkdown(id)).rejects.toMatchObject({ code: 'session_unknown' });
  });

  it('leaves no file either when it was never stored before', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    const model = createActingModel([{ text: 'I think …', during: neverEnds }]);
    const { turn, events } = await startTalk(world, 'work', model);
    await expect.poll(() => events.some(({ type }) => type === 'text')).toBe(true);
    await conversations.remove(world.session.id);
    await turn.settled;
    expect(await readdir(dirname(world.session.file))).toEqual([]);
    expect(await conversations.summaries()).toEqual([]);
  });

  it('takes its started agents with it', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    const spawn = { name: 'sessions_spawn', arguments: { task: 'Look.', label: 'look' } };
    const model = createActingModel([{ toolCalls: [spawn] }, { text: 'I look …', during: neverEnds }]);
    const { turn } = await startTalk(world, 'work', model);
    await expect.poll(() => model.asked.length).toBe(2);
    const [child] = conversations.subagents(world.session.id);
    await conversations.remove(world.session.id);
    expect(await turn.outcome).toEqual({ status: 'cancelled' });
    await expect.poll(() => conversations.runningTurns()).toEqual([]);
    expect(child?.state).toBe('running');
    expect(conversations.running(child?.sessionId ?? '')).toBeUndefined();
  });
});
