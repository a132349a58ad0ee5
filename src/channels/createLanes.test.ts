import { describe, expect, it } from 'vitest';
import { createLanes } from './createLanes.ts';

describe('lanes', () => {
  it('do the works of one lane in order, of others meanwhile', async () => {
    const lanes = createLanes();
    const done: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = lanes.run('a', () => held.then(() => done.push('a1')));
    const second = lanes.run('a', () => Promise.resolve(done.push('a2')));
    await lanes.run('b', () => Promise.resolve(done.push('b1')));
    expect(done).toEqual(['b1']);
    release();
    await Promise.all([first, second]);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('go on after a work that rejects', async () => {
    const lanes = createLanes();
    await expect(lanes.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(lanes.run('a', () => Promise.resolve(2))).resolves.toBe(2);
    await lanes.settled();
  });
});
