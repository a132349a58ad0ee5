import { describe, expect, it } from 'vitest';
import { openCheckpoints } from '../../test/builders/openCheckpoints.ts';

describe('a run that counts to the turn of another', () => {
  const joined = { runId: 't1', sessionId: 's1' };

  it('stands in that turn, in the order of the changes', async () => {
    await using world = await openCheckpoints();
    const { change, checkpoints } = world.window('w1');
    checkpoints.joinTurn('child', joined);
    await change('child', { 'a.md': 'of the child' }, 'other session');
    await change('t1', { 'a.md': null, 'b.md': 'own' });
    const [turn, ...others] = await checkpoints.list();
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ id: 't1', sessionId: 's1', files: [{ label: 'b.md', status: 'created' }] });
  });

  it('is a turn of its own again once it has ended', async () => {
    await using world = await openCheckpoints();
    const { change, checkpoints } = world.window('w1');
    checkpoints.joinTurn('child', joined);
    checkpoints.endTurn('child');
    await change('child', { 'a.md': 'x' });
    expect((await checkpoints.list()).map(({ id }) => id)).toEqual(['child']);
  });

  it.each([
    ['t1', 'child'],
    ['child', 't1'],
  ])('keeps it from being dropped until both have ended: %s first', async (first, last) => {
    await using world = await openCheckpoints();
    const { change, checkpoints } = world.window('w1', { limits: { maxTurns: 0 } });
    checkpoints.joinTurn('child', joined);
    await change('child', { 'a.md': 'x' });
    checkpoints.endTurn(first);
    await change(last, { 'b.md': 'y' });
    await checkpoints.settled();
    expect(await checkpoints.list()).toMatchObject([
      { id: 't1', files: [{ label: 'a.md' }, { label: 'b.md' }] },
    ]);
    checkpoints.endTurn(last);
    await checkpoints.settled();
    expect(await checkpoints.list()).toEqual([]);
  });
});
