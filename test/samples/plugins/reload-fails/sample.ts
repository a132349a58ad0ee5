import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a new version that fails leaves the old one running, and the failure is shown',
  async check({ manager, marks, plugin, load }) {
    await writeFile(plugin('risky').source, "throw new Error('typo');\n");
    await load();
    await manager.hooks.observe('message_received', { from: 'u', content: '' }, { channelId: 'x' });
    expect(marks).toEqual(['old']);
    expect(plugin('risky')).toMatchObject({
      status: 'loaded',
      reason: 'failed to load plugin: typo; the previous version still runs',
      error: 'failed to load plugin: typo',
    });
  },
});
