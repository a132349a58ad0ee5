import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a field named __proto__ deep inside of a manifest changes no object',
  check({ marks, plugin, found }) {
    expect(marks).toEqual(['p']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const schema = plugin('p').configJsonSchema as { properties: object };
    expect(Object.keys(schema.properties)).toEqual(['a']);
    expect(found('plugin_manifest_odd', 'p')[0]?.message).toContain('__proto__');
  },
});
