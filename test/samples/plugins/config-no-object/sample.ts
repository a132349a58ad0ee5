import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings that are no object are refused',
  config: { entries: { p: { config: [] as never } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('p').error).toMatch(/^invalid config: <root>: must be object$/u);
  },
});
