import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'all four origins are found, and each plugin says which it is',
  check({ manager, log }) {
    expect(manager.plugins().map(({ id, origin, status }) => [id, origin, status])).toEqual([
      ['bundled-one', 'bundled', 'loaded'],
      ['workspace-one', 'workspace', 'loaded'],
      ['global-one', 'global', 'loaded'],
      ['config-one', 'config', 'loaded'],
    ]);
    expect(log.lines.map(({ message }) => message).join()).toContain('global-one runs for the first time');
  },
});
