import { expect } from 'vitest';
import { leaveMarks } from '../leaveMarks.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that hung is tried once more when the user reloads it',
  async check({ root, load, marks, manager, plugin }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await leaveMarks(root, 2);
    await load({ config: { entries: {} } });
    await manager.reload('p');
    expect(marks).toEqual(['ran', 'ran']);
    expect(plugin('p').status).toBe('loaded');
  },
});
