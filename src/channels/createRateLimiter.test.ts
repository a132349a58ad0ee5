import { expect, it } from 'vitest';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createRateLimiter } from './createRateLimiter.ts';

const sender = (senderId: string, accountId = 'default') => ({ channel: 'post', accountId, senderId });

it('a sender has 20 messages at once and 20 in each minute after, and is told of once a minute', () => {
  const clock = createManualClock();
  const gate = createRateLimiter(clock);
  const take = (count: number) => Array.from({ length: count }, () => gate.ofSender(sender('ann')));
  expect(new Set(take(20))).toEqual(new Set(['in']));
  expect(take(3)).toEqual(['first over', 'over', 'over']);
  expect(gate.ofSender(sender('bob'))).toBe('in');
  clock.advance(3_000);
  expect(take(2)).toEqual(['in', 'over']);
  clock.advance(60_000);
  expect(take(21)).toEqual([...Array.from({ length: 20 }, () => 'in'), 'first over']);
});

it('strangers of an account share a smaller number, and those who are let in have one of their own', () => {
  const gate = createRateLimiter(createManualClock());
  const strangers = Array.from({ length: 120 }, (_, at) => gate.ofAccount(sender(String(at)), false));
  expect(strangers.filter((verdict) => verdict === 'in')).toHaveLength(60);
  const known = Array.from({ length: 130 }, () => gate.ofAccount(sender('ann'), true));
  expect(known.filter((verdict) => verdict === 'in')).toHaveLength(120);
  expect(gate.ofAccount(sender('0', 'other'), false)).toBe('in');
});

it('names of senders that somebody makes up bring the account no more messages', () => {
  const gate = createRateLimiter(createManualClock());
  for (let at = 0; at < 60; at += 1) gate.ofAccount(sender(String(at)), false);
  for (let at = 0; at < 3_000; at += 1) gate.ofSender(sender(`made up ${String(at)}`));
  expect(gate.ofAccount(sender('one more'), false)).toBe('first over');
});

it('20 messages of a conversation may be open, 5 of a stranger; a place that is given back is free again', () => {
  const gate = createRateLimiter(createManualClock());
  const take = (count: number, isKnown: boolean) =>
    Array.from({ length: count }, () => gate.place(sender('ann'), 'a', isKnown));
  expect(take(6, false)).toEqual(['in', 'in', 'in', 'in', 'in', 'first over']);
  expect(take(16, true)).toEqual([...Array.from({ length: 15 }, () => 'in'), 'over']);
  gate.giveBack('a', true);
  expect(take(2, true)).toEqual(['in', 'over']);
});

it('100 messages of all conversations may be open, 60 of strangers', () => {
  const gate = createRateLimiter(createManualClock());
  const open = (count: number, isKnown: boolean): number =>
    Array.from({ length: count }, (_, at) =>
      gate.place(sender(String(at)), `${String(isKnown)} ${String(at)}`, isKnown),
    ).filter((each) => each === 'in').length;
  expect(open(70, false)).toBe(60);
  expect(open(70, true)).toBe(40);
});
