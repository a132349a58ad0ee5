import { expect } from 'vitest';
import { leaveMarks } from '../leaveMarks.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that did not come back from loading twice is skipped at the next start and named',
  async check({ root, load, marks, plugin, found }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await leaveMarks(root, 2);
    await load({ config: { entries: {} } });
    expect(marks.toSorted()).toEqual(['other', 'ran']);
    expect(plugin('p').error).toBe('plugin p did not finish loading the last two times; it is skipped');
    expect(found('plugin_hung', 'p')).toMatchObject([
      { level: 'error', fixes: [{ kind: 'reload-plugin', pluginId: 'p' }] },
    ]);
  },
});
