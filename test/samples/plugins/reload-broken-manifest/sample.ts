import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a typo in the manifest leaves the version that runs, and its state, until the user takes it back',
  async check({ manager, marks, plugin, folderOf, load, sessionState, sessionKey }) {
    const value = { pluginId: 'risky-plugin', namespace: 'n' };
    await sessionState.patch(sessionKey, value, { value: 1 });
    await writeFile(join(folderOf('risky'), 'openclaw.plugin.json'), '{ "id": ');
    for (let times = 0; times < 2; times += 1) {
      await load();
      await manager.hooks.observe('message_received', { from: 'u', content: '' }, { channelId: 'x' });
      expect(plugin('risky-plugin').status).toBe('loaded');
    }
    expect(marks).toEqual(['old', 'old']);
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({ 'risky-plugin': { n: 1 } });
    await load({ config: { deny: ['risky-plugin'] } });
    expect(manager.hooks.has('message_received')).toBe(false);
  },
});
