import { expect, it } from 'vitest';
import type { Host } from '../../../src/host/ports.ts';
import { createActingModel } from './actingModel.ts';
import { transcriptOf } from './describe.ts';
import { openConversation, talk, type ConversationOptions } from './openConversation.ts';

const answers = (...texts: readonly string[]) => createActingModel(texts.map((text) => ({ text })));

/** A machine whose calendar the test moves; timers run as ever. */
function movableTime(): { readonly adjustHost: (host: Host) => Host; pass(minutes: number): void } {
  let ahead = 0;
  return {
    adjustHost: (host) => ({ ...host, clock: { ...host.clock, now: () => host.clock.now() + ahead } }),
    pass: (minutes) => void (ahead += minutes * 60_000),
  };
}
const idle: ConversationOptions = {
  config: { session: { reset: { mode: 'idle', idleMinutes: 30 } } },
  global: {
    watcher: `module.exports = (api) => api.on('session_end', (event) =>
      void mark([event.reason, event.sessionId, event.nextSessionId].join(' ')));`,
  },
};

it('a turn after the pause begins in a fresh session; the old one ends with the reason idle', async () => {
  const time = movableTime();
  await using world = await openConversation({ ...idle, ...time });
  await talk(world, 'one', answers('First.'));
  await world.runtime.conversations.setSettings(world.session, { temperature: 0.3 });
  await world.runtime.conversations.inbox.add(world.session.id, 'followUp', 'later');
  time.pass(31);
  const model = answers('Second.', 'Later.');
  const { turn } = await talk(world, 'two', model);
  expect(turn.session.id).not.toBe(world.session.id);
  expect(turn.session.key).toBe(world.session.key);
  expect(model.asked[0]?.messages).toHaveLength(1);
  expect(model.asked[0]?.settings).toEqual({ temperature: 0.3 });
  expect((await transcriptOf(world.session)).at(-1)).toBe('end: idle');
  expect(await transcriptOf(turn.session)).toEqual([
    'settings',
    'turn started',
    'user: two',
    'model: Second.',
    'user (followUp): later',
    'model: Later.',
    'turn completed',
  ]);
  expect(world.marks).toEqual([`idle ${world.session.id} ${turn.session.id}`]);
});

it('a shorter pause changes nothing', async () => {
  const time = movableTime();
  await using world = await openConversation({ ...idle, ...time });
  await talk(world, 'one', answers('First.'));
  time.pass(29);
  const { turn } = await talk(world, 'two', answers('Second.'));
  expect(turn.session).toBe(world.session);
});

it('the reset is for pauses of a chat: with mode never none is long enough', async () => {
  const time = movableTime();
  await using world = await openConversation({ ...time });
  await talk(world, 'one', answers('First.'));
  time.pass(1_000_000);
  const { turn } = await talk(world, 'two', answers('Second.'));
  expect(turn.session).toBe(world.session);
});

it('a turn after the hour of mode daily begins in a fresh session, and one before it does not', async () => {
  const time = movableTime();
  const { hour, untilNext } = hourAfterNow();
  const config = { session: { reset: { mode: 'daily', atHour: hour } } };
  await using world = await openConversation({ ...time, config });
  await talk(world, 'one', answers('First.'));
  time.pass(untilNext - 1);
  const before = await talk(world, 'two', answers('Second.'));
  expect(before.turn.session).toBe(world.session);
  time.pass(2);
  const after = await talk(world, 'three', answers('Third.'));
  expect(after.turn.session.id).not.toBe(world.session.id);
});

/** An hour that the clock has not reached, other than the default one, and the minutes until it comes. */
function hourAfterNow(): { readonly hour: number; readonly untilNext: number } {
  const now = new Date();
  const next = now.getHours() + 2;
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate(), next === 4 ? 5 : next);
  return { hour: at.getHours(), untilNext: (at.getTime() - now.getTime()) / 60_000 };
}
