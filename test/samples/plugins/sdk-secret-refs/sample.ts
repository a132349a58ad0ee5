import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'secrets by reference come from the environment; other sources and missing ones are refused by name',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe(
      'true|false|env:default:KEY,hidden|Environment variable NONE is missing or empty (env:default:NONE).|' +
        'Secret reference file:default:a.txt is of source "file"; only "env" can be read here.',
    );
  },
});
