import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'api.config shows a plugin its own entry with defaults, as many read it there, and no entry of another',
  config: { entries: { other: { config: { key: 'not for you' } } } },
  async check({ runTool }) {
    expect(JSON.parse(await runTool('settings'))).toEqual({
      reader: { enabled: true, config: { limit: 3 } },
    });
  },
});
