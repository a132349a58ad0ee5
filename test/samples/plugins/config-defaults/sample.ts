import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the plugin gets its settings with the defaults of its schema, in the API and in each event',
  config: { entries: { strict: { config: { key: 'k' } } } },
  async check({ marks, manager }) {
    await manager.hooks.observe('message_received', { from: 'user', content: 'hi' }, { channelId: 'vscode' });
    expect(marks.map((each) => JSON.parse(each) as unknown)).toEqual([
      { key: 'k', limit: 5 },
      { key: 'k', limit: 5 },
    ]);
  },
});
