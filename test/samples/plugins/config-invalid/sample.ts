import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings that the schema refuses stop the plugin before any of its code runs',
  async check({ marks, plugin, load }) {
    expect(marks).toEqual([]);
    expect(plugin('strict')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('strict').error).toContain("invalid config: <root>: must have required property 'key'");
    await load({ config: { entries: { strict: { config: { key: 'k' } } } } });
    expect(plugin('strict').status).toBe('loaded');
  },
});
