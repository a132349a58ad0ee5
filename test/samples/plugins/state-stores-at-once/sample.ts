import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a store that is read and changed at once is the same as the one that waits, and neither loses what the other writes',
  async check({ runTool, manager }) {
    const ask = async (part: string): Promise<unknown> => JSON.parse(await runTool('ask', { part }));
    expect(await ask('between')).toEqual(['a1', 'b2', 'c3']);
    expect(await ask('compare')).toEqual([
      2,
      { status: 'unchanged' },
      { status: 'applied' },
      ['conflict', 3],
      { status: 'unchanged' },
    ]);
    expect(await ask('many')).toEqual([
      [{ ok: true, value: 1 }, { ok: true }],
      [true, false],
    ]);
    await manager.reload('ledger');
    expect(await ask('rest')).toEqual([3, 1, false, true, true, 1, 'cleared', 0]);
    expect(await ask('inside')).toEqual(['PLUGIN_STATE_INVALID_INPUT', null, 3]);
    expect(await ask('busy')).toBe('PLUGIN_STATE_INVALID_INPUT');
  },
});
