import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a plugin that the file switches off is not loaded and may share a priority; the user can switch one off as well',
  async check({ say, marks, plugin, runtime }) {
    expect((await say('Hello')).sent).toContain('Hello on');
    expect(marks).toEqual(['on loads']);
    expect(plugin('off')).toMatchObject({ enabled: false, status: 'disabled' });
    await runtime.plugins.setEnabled('dexto:on', false);
    expect((await say('Bye')).sent).not.toContain('Bye on');
    expect(plugin('on')).toMatchObject({ enabled: false, status: 'disabled' });
  },
});
