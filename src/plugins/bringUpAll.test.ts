import { expect, it } from 'vitest';
import { createManualClock } from '../host/memory/manualClock.ts';
import { bringUpAll } from './bringUpAll.ts';
import type { PluginSlot } from './toRecord.ts';

const slot = (id: string) => ({ plan: { id } }) as PluginSlot;
const idsOf = (slots: readonly PluginSlot[]) => slots.map(({ plan }) => plan.id);

it('publishes quick plugins once', async () => {
  const published: string[][] = [];
  const tasks = [{ slot: Promise.resolve(slot('a')), meanwhile: slot('no a') }];
  await bringUpAll(tasks, createManualClock(), async (slots) => void published.push(idsOf(slots)));
  expect(published).toEqual([['a']]);
});

it('publishes what is there after a second, and the rest when it comes', async () => {
  const clock = createManualClock();
  const published: string[][] = [];
  let finish: (slot: PluginSlot) => void = () => undefined;
  const slow = new Promise<PluginSlot>((resolve) => (finish = resolve));
  let firstIsOut = (): void => undefined;
  const first = new Promise<void>((resolve) => (firstIsOut = resolve));
  const tasks = [
    { slot: slow, meanwhile: slot('old') },
    { slot: Promise.resolve(slot('b')), meanwhile: slot('no b') },
  ];
  const all = bringUpAll(tasks, clock, async (slots) => {
    published.push(idsOf(slots));
    firstIsOut();
  });
  await Promise.resolve();
  clock.advance(1_000);
  await first;
  finish(slot('a'));
  await all;
  expect(published).toEqual([
    ['old', 'b'],
    ['a', 'b'],
  ]);
});
