import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace plugin without consent does not take the slot from another',
  consent: false,
  async check({ plugin, manager }) {
    expect(plugin('home').status).toBe('loaded');
    await manager.grantConsent('theirs');
    expect(plugin('home').reason).toBe('memory slot already filled by "theirs"');
  },
});
