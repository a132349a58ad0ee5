import { expect, it } from 'vitest';
import { createSupersedingQueue } from './createSupersedingQueue.ts';

it('does work in order, and lets a newer one tell an older one to end', async () => {
  const queue = createSupersedingQueue();
  const seen: string[] = [];
  const first = queue.run(
    (superseded) =>
      new Promise((resolve) => {
        seen.push('first begins');
        superseded.addEventListener('abort', () => {
          seen.push('first ends');
          resolve();
        });
      }),
  );
  await Promise.resolve();
  const second = queue.run((superseded) => void seen.push(`second ${String(superseded.aborted)}`));
  const third = queue.run((superseded) => void seen.push(`third ${String(superseded.aborted)}`));
  await Promise.all([first, second, third]);
  expect(seen).toEqual(['first begins', 'first ends', 'second true', 'third false']);
});

it('goes on after work that fails, of which its caller alone hears', async () => {
  const queue = createSupersedingQueue();
  const failing = queue.run(() => Promise.reject(new Error('broken')));
  let isDone = false;
  const next = queue.run(() => void (isDone = true));
  await expect(failing).rejects.toThrow('broken');
  await next;
  await queue.settled();
  expect(isDone).toBe(true);
});

it('aborts what runs without anything new', async () => {
  const queue = createSupersedingQueue();
  let wasAborted = false;
  const work = queue.run(
    (superseded) =>
      new Promise((resolve) => {
        superseded.addEventListener('abort', () => {
          wasAborted = true;
          resolve();
        });
      }),
  );
  await Promise.resolve();
  queue.supersede();
  await work;
  expect(wasAborted).toBe(true);
});
