import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an API method that nobody knows is kept, named, and the plugin goes on',
  check({ plugin, found }) {
    expect(plugin('newer').toolNames).toEqual(['ping']);
    expect(plugin('newer').registrations.other).toEqual(['teleporter x']);
    expect(found('plugin_registration_unused', 'newer')[0]?.message).toContain('teleporter x');
  },
});
