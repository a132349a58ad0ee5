import { expect, it } from 'vitest';
import { createAgentWrites } from './agentWrites.ts';

it("counts a path as the agent's until every write to it has settled, failed ones too", async () => {
  const writes = createAgentWrites();
  let finish = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const one = writes.during('/a', () => first);
  const two = writes.during('/a', () => Promise.reject(new Error('disk full')));
  await expect(two).rejects.toThrow('disk full');
  expect(writes.has('/a')).toBe(true);
  expect(writes.has('/b')).toBe(false);
  finish();
  await one;
  expect(writes.has('/a')).toBe(false);
});
