import { describe, expect, it } from 'vitest';
import { createKeyedQueue } from './createKeyedQueue.ts';

describe('keyed queue', () => {
  it('does the works of one key in order, of others meanwhile', async () => {
    const queue = createKeyedQueue();
    const done: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = queue.run('a', () => held.then(() => done.push('a1')));
    const second = queue.run('a', () => Promise.resolve(done.push('a2')));
    await queue.run('b', () => Promise.resolve(done.push('b1')));
    expect(done).toEqual(['b1']);
    release();
    await Promise.all([first, second]);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('goes on after a work that rejects', async () => {
    const queue = createKeyedQueue();
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run('a', () => Promise.resolve(2))).resolves.toBe(2);
    await queue.settled();
  });
});
