import { expect, it } from 'vitest';
import { createProcessOwner } from './processOwner.ts';

it('knows a process by its id and start: a later one with the same id is another', async () => {
  const times = new Map([
    [7, 'boot:100'],
    [8, 'boot:200'],
  ]);
  const startTimeOf = (pid: number): Promise<string | undefined> => Promise.resolve(times.get(pid));
  const seven = createProcessOwner(startTimeOf, 7);
  const eight = createProcessOwner(startTimeOf, 8);
  const name = await seven.id();
  expect(await eight.isAlive(name)).toBe(true);
  times.set(7, 'boot:300');
  expect(await eight.isAlive(name)).toBe(false);
  times.delete(7);
  expect(await eight.isAlive(name)).toBe(false);
  expect(await eight.isAlive('nonsense')).toBe(false);
});

it('is alive for itself where the system does not say when processes start', async () => {
  const owner = createProcessOwner(() => Promise.resolve(undefined), 7);
  expect(await owner.isAlive(await owner.id())).toBe(true);
});
