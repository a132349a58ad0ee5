import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createActingModel, neverEnds, works } from './actingModel.ts';
import { transcriptOf } from './describe.ts';
import { openConversation, startTalk, talk } from './openConversation.ts';

// Two chats may have the same session open (`/resume` in both), and a new request may come before the last one has ended.

const done = [{ text: 'Done.' }];

describe('a second turn of one session', () => {
  it('begins when the first has ended: the transcript is in order', async () => {
    const second: Promise<unknown>[] = [];
    await using world = await openConversation({
      work: () => void second.push(talk(world, 'second', createActingModel(done))),
    });
    await talk(world, 'first', createActingModel([works('a'), ...done]));
    await Promise.all(second);
    expect(await transcriptOf(world.session)).toEqual([
      'turn started',
      'user: first',
      'model: [a]',
      'a: did a',
      'model: Done.',
      'turn completed',
      'turn started',
      'user: second',
      'model: Done.',
      'turn completed',
    ]);
  });

  it('can be cancelled while it waits, and leaves nothing', async () => {
    await using world = await openConversation();
    const abort = new AbortController();
    const first = await startTalk(
      world,
      'first',
      createActingModel([{ text: 'I think …', during: neverEnds }]),
    );
    const second = startTalk(world, 'second', createActingModel(done), { signal: abort.signal });
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    world.runtime.conversations.stopTurn(world.session.id);
    await first.turn.settled;
    expect(world.runtime.turns.running()).toBe(0);
    expect((await transcriptOf(world.session)).join()).not.toContain('second');
  });

  it('of another session does not wait', async () => {
    await using world = await openConversation();
    const first = await startTalk(
      world,
      'first',
      createActingModel([{ text: 'I think …', during: neverEnds }]),
    );
    const session = world.runtime.conversations.create();
    expect((await talk(world, 'other', createActingModel(done), { session })).outcome.status).toBe(
      'completed',
    );
    world.runtime.conversations.stopTurn(world.session.id);
    await first.turn.settled;
  });

  it('does not bring back a session that is deleted while it waits', async () => {
    await using world = await openConversation();
    const thinking = createActingModel([{ text: 'I think …', during: neverEnds }]);
    const { events } = await startTalk(world, 'first', thinking);
    await expect.poll(() => events.some(({ type }) => type === 'text')).toBe(true);
    const model = createActingModel(done);
    const second = talk(world, 'second', model).catch(() => undefined);
    await world.runtime.conversations.remove(world.session.id);
    expect((await second)?.outcome.status).not.toBe('completed');
    expect(model.asked).toEqual([]);
    expect(await readdir(dirname(world.session.file))).toEqual([]);
    expect(await world.runtime.conversations.summaries()).toEqual([]);
  });
});
