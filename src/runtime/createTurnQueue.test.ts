import { expect, it } from 'vitest';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { createTurnQueue } from './createTurnQueue.ts';

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const unstopped = new AbortController().signal;

it('starts no work before the work ahead of it is done, failed or not', async () => {
  const queue = createTurnQueue(systemClock, () => undefined);
  const first = gate();
  const log: string[] = [];
  const failed = queue.atOnce(async () => {
    await first.opened;
    log.push('first');
    throw new Error('no disk');
  });
  const second = queue.betweenTurns(async () => void log.push('second'));
  // Every microtask runs first: work that did not wait would be done by then.
  await new Promise((resolve) => setImmediate(resolve));
  first.open();
  await expect(failed).rejects.toThrow('no disk');
  await second;
  expect(log).toEqual(['first', 'second']);
});

it('does what was asked for before a turn began before the turn, too, however soon that is asked for', async () => {
  const queue = createTurnQueue(systemClock, () => undefined);
  const ahead = gate();
  const log: string[] = [];
  const first = queue.atOnce(() => ahead.opened);
  const second = queue.betweenTurns(async () => void log.push('work'));
  const started = queue.startTurn(() => ({ outcome: Promise.resolve(log.push('turn')) }));
  ahead.open();
  await Promise.all([first, second, started]);
  expect(log).toEqual(['work', 'turn']);
});

it('waits for a turn that began after 2 s of waiting for other work', async () => {
  const clock = createManualClock();
  const queue = createTurnQueue(clock, () => undefined);
  const [ahead, turn] = [gate(), gate()];
  const log: string[] = [];
  const first = queue.atOnce(() => ahead.opened);
  const second = queue.betweenTurns(async () => void log.push('work'));
  const started = queue.startTurn(() => ({ outcome: turn.opened.then(() => log.push('turn')) }));
  clock.advance(2_000);
  await started;
  ahead.open();
  await first;
  await queue.atOnce(async () => undefined);
  turn.open();
  await second;
  expect(log).toEqual(['turn', 'work']);
});

it('lets a look that takes longer than 2 s take nothing over: its turn runs by then', async () => {
  const clock = createManualClock();
  const [disk, turn] = [gate(), gate()];
  const log: string[] = [];
  const queue = createTurnQueue(
    clock,
    () => undefined,
    async (isInTime) => {
      await disk.opened;
      log.push(isInTime() ? 'taken over' : 'left');
    },
  );
  const started = queue.startTurn(() => ({ outcome: turn.opened }));
  clock.advance(2_000);
  await started;
  disk.open();
  turn.open();
  await queue.betweenTurns(async () => undefined);
  expect(log).toEqual(['left']);
  await queue.startTurn(() => ({ outcome: Promise.resolve() }));
  expect(log).toEqual(['left', 'taken over']);
});

it('looks before a turn that begins alone, and not beside another one', async () => {
  const log: string[] = [];
  const queue = createTurnQueue(
    systemClock,
    () => undefined,
    async () => void log.push('look'),
  );
  const [first, second] = [gate(), gate()];
  const begin = (name: string, { opened }: { readonly opened: Promise<void> }) =>
    queue.startTurn(() => {
      log.push(name);
      return { outcome: opened };
    });
  await Promise.all([begin('first', first), begin('second', second)]);
  await queue.catchUp();
  expect(log).toEqual(['look', 'first', 'second']);
  first.open();
  second.open();
  await queue.betweenTurns(async () => undefined);
  await queue.catchUp();
  await begin('third', first);
  expect(log).toEqual(['look', 'first', 'second', 'look', 'look', 'third']);
});

it('does not look again for a message that came before the last look, and does for one that came after it', async () => {
  const clock = createManualClock();
  let looks = 0;
  const queue = createTurnQueue(
    clock,
    () => undefined,
    async () => void (looks += 1),
  );
  const turn = (): { outcome: Promise<void> } => ({ outcome: Promise.resolve() });
  const received = clock.monotonic();
  await queue.catchUp();
  await (
    await queue.startTurn(turn, received)
  ).outcome;
  expect(looks).toBe(1);
  clock.advance(1);
  await (
    await queue.startTurn(turn, clock.monotonic())
  ).outcome;
  expect(looks).toBe(2);
});

it('begins a turn after 2 s of looking, and counts none that the look broke', async () => {
  const clock = createManualClock();
  const queueOf = (look: () => Promise<void>) => createTurnQueue(clock, () => undefined, look);
  const slow = queueOf(() => new Promise(() => undefined));
  const broken = queueOf(() => Promise.reject(new Error('no disk')));
  const started = slow.startTurn(() => ({ outcome: Promise.resolve() }));
  // The look has begun.
  await new Promise((resolve) => setImmediate(resolve));
  expect(slow.running()).toBe(0);
  clock.advance(2_000);
  await started;
  await expect(broken.startTurn(() => ({ outcome: Promise.resolve() }))).rejects.toThrow('no disk');
  expect(broken.running()).toBe(0);
});

it('drops what has not started when it closes, and lets its callers go', async () => {
  const queue = createTurnQueue(systemClock, () => undefined);
  const log: string[] = [];
  await queue.startTurn(() => ({ outcome: new Promise(() => undefined) }));
  const waiting = queue.betweenTurns(async () => void log.push('work'));
  queue.close();
  await waiting;
  expect(log).toEqual([]);
});

it('holds a turn back while something loads, so that it sees what was saved just before', async () => {
  const queue = createTurnQueue(systemClock, () => undefined);
  const loading = gate();
  const log: string[] = [];
  const load = queue.betweenTurns(async () => {
    await loading.opened;
    log.push('loaded');
  });
  await new Promise((resolve) => setImmediate(resolve));
  const turn = queue.startTurn(() => {
    log.push('turn');
    return { outcome: Promise.resolve() };
  });
  loading.open();
  await Promise.all([load, turn]);
  expect(log).toEqual(['loaded', 'turn']);
});

it('counts a turn that could not start as over', async () => {
  const queue = createTurnQueue(systemClock, () => undefined);
  const failing = queue.startTurn((): { outcome: Promise<void> } => {
    throw new Error('no tools');
  });
  await expect(failing).rejects.toThrow('no tools');
  expect(queue.running()).toBe(0);
});

it('tells of a turn that ended only once it no longer counts as running', async () => {
  const seen: number[] = [];
  const queue = createTurnQueue(systemClock, () => seen.push(queue.running()));
  const turn = gate();
  await queue.startTurn(() => ({ outcome: turn.opened }));
  turn.open();
  await queue.betweenTurns(async () => undefined);
  await expect(queue.startTurn(() => Promise.reject(new Error('no model')))).rejects.toThrow('no model');
  expect(seen).toEqual([1, 0, 1, 0]);
});

it('a turn that yields waits for those that run where something has changed, and what it finds counts for it', async () => {
  const log: string[] = [];
  const queue = createTurnQueue(
    createManualClock(),
    () => undefined,
    async () => void log.push('look'),
    () => Promise.resolve(true),
  );
  const [first, second] = [gate(), gate()];
  const begin = async (name: string, { opened }: { readonly opened: Promise<void> }): Promise<void> => {
    log.push(`${String(await queue.yieldToLoads(unstopped))} ahead`);
    await queue.startTurn(() => ({ outcome: opened.finally(() => log.push(name)) }));
  };
  await begin('first', first);
  const waiting = begin('second', second);
  first.open();
  await waiting;
  expect(log).toEqual(['0 ahead', 'look', 'first', '0 ahead', 'look']);
});

it('a turn yields for 10 s at most, from the first that does, and not at all where nothing waits', async () => {
  const clock = createManualClock();
  let isChanged = false;
  const queue = createTurnQueue(
    clock,
    () => undefined,
    undefined,
    () => Promise.resolve(isChanged),
  );
  const long = gate();
  await queue.startTurn(() => ({ outcome: long.opened }));
  expect(await queue.yieldToLoads(unstopped)).toBe(0);
  isChanged = true;
  let told = 0;
  const held = queue.yieldToLoads(unstopped, () => (told += 1));
  // Its timer is set once the disk was looked at.
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(999);
  expect(told).toBe(0);
  clock.advance(1);
  expect(told).toBe(1);
  clock.advance(9_000);
  expect(await held).toBe(1);
  expect(await queue.yieldToLoads(unstopped)).toBe(1);
  isChanged = false;
  expect(await queue.yieldToLoads(unstopped)).toBe(0);
  const loaded = queue.betweenTurns(async () => undefined);
  long.open();
  await loaded;
  expect(await queue.yieldToLoads(unstopped)).toBe(0);
});

it('a turn that is stopped while it yields is told nothing any more', async () => {
  const clock = createManualClock();
  const queue = createTurnQueue(
    clock,
    () => undefined,
    undefined,
    () => Promise.resolve(true),
  );
  await queue.startTurn(() => ({ outcome: gate().opened }));
  const stop = new AbortController();
  let told = 0;
  const held = queue.yieldToLoads(stop.signal, () => (told += 1));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(999);
  stop.abort();
  await expect(held).rejects.toMatchObject({ code: 'cancelled' });
  clock.advance(1);
  expect(told).toBe(0);
});

it('a turn is told where the look before it took too long', async () => {
  const clock = createManualClock();
  const queue = createTurnQueue(
    clock,
    () => undefined,
    () => new Promise(() => undefined),
  );
  const told: boolean[] = [];
  const started = queue.startTurn((isLate) => {
    told.push(isLate);
    return { outcome: Promise.resolve() };
  });
  clock.advance(2_000);
  await started;
  expect(told).toEqual([true]);
});
