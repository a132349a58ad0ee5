import { expect, it } from 'vitest';
import { createSerialQueue } from './createSerialQueue.ts';

it('works begin in their order, each when the one before it has ended', async () => {
  const inTurn = createSerialQueue();
  const seen: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = inTurn(async () => {
    seen.push('first begins');
    await held;
    seen.push('first ends');
  });
  const second = inTurn(() => seen.push('second'));
  await Promise.resolve();
  release();
  await Promise.all([first, second]);
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

it('a work that fails is told to its caller, and the next one begins', async () => {
  const inTurn = createSerialQueue();
  const failed = inTurn(() => Promise.reject(new Error('no')));
  const next = inTurn(() => 2);
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe(2);
});
