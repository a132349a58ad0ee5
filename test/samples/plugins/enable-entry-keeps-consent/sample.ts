import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace plugin that is switched off still says that it would need consent',
  consent: false,
  config: { entries: { p: { enabled: false } } },
  async check({ plugin, manager, load, marks }) {
    expect(plugin('p')).toMatchObject({
      reason: 'disabled in config',
      needsConsent: { why: 'never-enabled' },
    });
    await manager.grantConsent('p');
    expect(marks).toEqual([]);
    await load({ config: { entries: {} } });
    expect(marks).toEqual(['p']);
  },
});
