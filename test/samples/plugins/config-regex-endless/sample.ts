import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a pattern that would run forever is stopped, and the plugin with it',
  config: { entries: { p: { config: { a: `${'a'.repeat(50)}!` } } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('p').error).toMatch(
      /^invalid config: configSchema is not a valid JSON Schema: checking takes more than 2000ms$/u,
    );
  },
});
