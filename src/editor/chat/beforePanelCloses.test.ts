import { beforeEach, expect, it } from 'vitest';
import type { ChatResult } from 'vscode';
import { createWatchedClock, type WatchedClock } from '../../../test/builders/createWatchedClock.ts';
import { beforePanelCloses, stopGraceMs } from './beforePanelCloses.ts';

const late: ChatResult = { metadata: { about: 'late' } };
const stopped: ChatResult = { metadata: { about: 'stopped' } };
let clock: WatchedClock;
let stop: AbortController;
let logged: string[];
let work: Promise<ChatResult>;
let end: (result: ChatResult) => void;
let fail: (error: Error) => void;

beforeEach(() => {
  clock = createWatchedClock();
  stop = new AbortController();
  logged = [];
  begin();
});

function begin(): void {
  work = new Promise((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
}

function result(): Promise<ChatResult> {
  const log = { debug: (text: string) => void logged.push(text) };
  return beforePanelCloses(work, () => stopped, { signal: stop.signal, clock, log });
}

it('gives what the work gives as long as nobody stops it', async () => {
  const given = result();
  clock.advance(10 * stopGraceMs);
  end(late);
  expect(await given).toBe(late);
});

it('waits a moment after Stop for work that ends by it', async () => {
  const given = result();
  stop.abort();
  await clock.set(stopGraceMs);
  end(late);
  expect(await given).toBe(late);
});

it('answers for work that goes on after Stop while the panel still listens, and logs how that fails', async () => {
  const given = result();
  stop.abort();
  await clock.pass(stopGraceMs);
  expect(await given).toBe(stopped);
  expect(stopGraceMs).toBeLessThan(1_000);
  fail(new Error('The disk is full.'));
  await work.catch(() => undefined);
  expect(logged).toEqual(['The disk is full.']);
});

it('throws what the work throws, stopped or not', async () => {
  const given = result();
  fail(new Error('No model.'));
  await expect(given).rejects.toThrow('No model.');
  begin();
  const after = result();
  stop.abort();
  fail(new Error('No model.'));
  await expect(after).rejects.toThrow('No model.');
});
