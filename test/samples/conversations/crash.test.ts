import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/sessions/session.ts';
import { createActingModel, neverEnds, works } from './actingModel.ts';
import { golden, transcriptOf, wordsOf } from './describe.ts';
import { startTalk, talk } from './openConversation.ts';
import { openHome, type Life } from './openHome.ts';

// The process is killed, and the next one finds the same folder.

const watcher = {
  watcher: `module.exports = (api) => {
    api.on('session_end', ({ sessionId, reason }) => void mark(['end', sessionId, reason].join(' ')));
    api.on('session_start', ({ sessionId, resumedFrom }) => void mark(['start', sessionId, resumedFrom].join(' ')));
  };`,
};

/** A turn that was in the middle of its second call when the process died. */
async function dieWhileWorking(life: Life): Promise<void> {
  const model = createActingModel([works('a', 'b')]);
  await startTalk(life, 'work on it', model);
  await expect.poll(() => life.marks).toContain('b begins');
  await life.crash();
}

const workingUntilB = (on: string): unknown => {
  if (on !== 'b') return undefined;
  (globalThis as { mark?: (text: string) => void }).mark?.('b begins');
  return neverEnds();
};

async function reopen(life: Life, id: string): Promise<Session> {
  const session = await life.runtime.conversations.sessions.open(id);
  if (session === undefined) throw new Error(`The session ${id} is gone.`);
  return session;
}

describe('after a crash', () => {
  it('an interrupted turn is known as one, and its session goes on with a closed conversation', async () => {
    await using home = await openHome();
    await using first = await home.open({ work: workingUntilB });
    await dieWhileWorking(first);
    await using second = await home.open();
    const session = await reopen(second, first.session.id);
    expect(session.interruptedTurn()).toEqual({ runId: expect.any(String) as string });
    expect(second.runtime.conversations.running(session.id)).toBeUndefined();
    const model = createActingModel([{ text: 'Resumed.' }]);
    const { events } = await talk(second, 'go on', model, { session });
    expect(golden(events)).toEqual(['model: Resumed.', 'ended: completed']);
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'toolResult',
      'user',
    ]);
    expect(wordsOf(model.asked[0]?.messages[2])).toBe('did a');
    expect(model.asked[0]?.messages[3]).toMatchObject({ toolCallId: 'b', isError: true });
    expect(session.interruptedTurn()).toBeUndefined();
  });

  it('a session that was open is closed once, with the reason unknown', async () => {
    await using home = await openHome();
    await using first = await home.open({ work: workingUntilB });
    await dieWhileWorking(first);
    const { id } = first.session;
    await using second = await home.open({ global: watcher });
    await expect.poll(() => second.marks).toEqual([`end ${id} unknown`]);
    const ends = async () => (await transcriptOf(first.session)).filter((line) => line.startsWith('end'));
    expect(await ends()).toEqual(['end: unknown']);
    await second.crash();
    await using third = await home.open({ global: watcher });
    expect(third.marks).toEqual([]);
    expect(await ends()).toEqual(['end: unknown']);
  });

  it('a session that ended in order is not orphaned', async () => {
    await using home = await openHome();
    const first = await home.open();
    await talk(first, 'hi', createActingModel([{ text: 'Hello.' }]));
    await first[Symbol.asyncDispose]();
    await using second = await home.open({ global: watcher });
    expect(second.marks).toEqual([]);
    expect((await transcriptOf(first.session)).at(-1)).toBe('end: shutdown');
  });

  it('messages that waited wait again, and what was read is not read twice', async () => {
    await using home = await openHome();
    await using first = await home.open({
      async work(on) {
        const { inbox } = first.runtime.conversations;
        if (on === 'a') await inbox.add(first.session.id, 'steer', 'read before');
        else await inbox.add(first.session.id, 'followUp', 'read after');
        return workingUntilB(on);
      },
    });
    await startTalk(first, 'work', createActingModel([works('a'), works('b')]));
    await expect.poll(() => first.marks).toContain('b begins');
    await first.crash();
    await using second = await home.open();
    const session = await reopen(second, first.session.id);
    const { inbox } = second.runtime.conversations;
    expect((await inbox.open(session.id)).map(({ text }) => text)).toEqual(['read after']);
    const model = createActingModel([{ text: 'One.' }, { text: 'Two.' }]);
    const { events } = await talk(second, 'go on', model, { session });
    expect(golden(events)).toEqual([
      'model: One.',
      'follow-up: read after',
      'model: Two.',
      'ended: completed',
    ]);
    const said = (await transcriptOf(session)).filter((line) => line.startsWith('user'));
    expect(said).toEqual([
      'user: work',
      'user (steer): read before',
      'user: go on',
      'user (followUp): read after',
    ]);
    expect(existsSync(session.file.replace('.jsonl', '.inbox.json'))).toBe(false);
  });

  it('name, settings and the parent of a fork are as they were', async () => {
    await using home = await openHome();
    await using first = await home.open();
    await talk(first, 'hi', createActingModel([{ text: 'Hello.' }]));
    const { conversations } = first.runtime;
    await conversations.setSettings(first.session, { temperature: 0.5 });
    const fork = await conversations.fork(first.session.id);
    await conversations.rename(fork.id, 'A copy');
    await first.crash();
    await using second = await home.open();
    const found = await reopen(second, fork.id);
    expect(found.name()).toBe('A copy');
    expect(found.settings()).toEqual({ temperature: 0.5 });
    expect(found.header.parent?.sessionId).toBe(first.session.id);
    const listed = await second.runtime.conversations.summaries();
    expect(listed.map(({ id }) => id).sort()).toEqual([fork.id, first.session.id].sort());
  });
});
