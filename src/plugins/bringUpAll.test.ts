import { beforeEach, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { bringUpAll, type BringUpTask } from './bringUpAll.ts';
import type { PluginSlot } from './toRecord.ts';

const slot = (id: string) => ({ plan: { id } }) as PluginSlot;

let clock: ManualClock;
let published: string[][];
let discarded: string[];
let closing: AbortController;
let superseded: AbortController;
let nextPublish: () => Promise<void>;

const discard = (late: PluginSlot): void => void discarded.push(late.plan.id);

/** A plugin that is there when `finish` is called. */
function slow(id: string): BringUpTask & { finish(): void } {
  let end: (slot: PluginSlot) => void = () => undefined;
  const promise = new Promise<PluginSlot>((resolve) => (end = resolve));
  return { slot: promise, meanwhile: slot(`no ${id}`), discard, finish: () => end(slot(id)) };
}

const quick = (id: string): BringUpTask => ({
  slot: Promise.resolve(slot(id)),
  meanwhile: slot(`no ${id}`),
  discard,
});

function start(tasks: readonly BringUpTask[]): Promise<void> {
  let waiting: (() => void)[] = [];
  nextPublish = () => new Promise((resolve) => waiting.push(resolve));
  return bringUpAll(tasks, {
    clock,
    closing: closing.signal,
    superseded: superseded.signal,
    publish(slots) {
      published.push(slots.map(({ plan }) => plan.id));
      waiting.forEach((resolve) => resolve());
      waiting = [];
      return Promise.resolve();
    },
  });
}

beforeEach(() => {
  clock = createManualClock();
  published = [];
  discarded = [];
  closing = new AbortController();
  superseded = new AbortController();
});

it('publishes quick plugins once', async () => {
  await start([quick('a'), quick('b')]);
  expect(published).toEqual([['a', 'b']]);
});

it('publishes what is there after a second, and more whenever it comes', async () => {
  const [a, c] = [slow('a'), slow('c')];
  const all = start([a, quick('b'), c]);
  const first = nextPublish();
  clock.advance(1_000);
  await first;
  const second = nextPublish();
  c.finish();
  await second;
  a.finish();
  await all;
  expect(published).toEqual([
    ['no a', 'b', 'no c'],
    ['no a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
});

it('gives up what waits where something newer comes, and discards what is there too late', async () => {
  const a = slow('a');
  const all = start([a, quick('b')]);
  superseded.abort();
  const first = nextPublish();
  clock.advance(1_000);
  await first;
  await all;
  a.finish();
  await a.slot;
  await Promise.resolve();
  expect(published).toEqual([['no a', 'b']]);
  expect(discarded).toEqual(['a']);
});

it('publishes nothing any more when everything ends', async () => {
  const a = slow('a');
  const all = start([a, quick('b')]);
  closing.abort();
  await all;
  a.finish();
  await a.slot;
  await Promise.resolve();
  expect(published).toEqual([]);
  expect(discarded).toEqual(['b', 'a']);
});
