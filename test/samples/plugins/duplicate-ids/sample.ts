import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace plugin never takes the place of a bundled one; the loser is listed with its winner',
  check({ marks, manager, found }) {
    expect(marks).toEqual(['bundled']);
    expect(manager.plugins().map(({ origin, status, reason }) => [origin, status, reason])).toEqual([
      ['bundled', 'loaded', 'enabled by default'],
      ['workspace', 'disabled', 'overridden by bundled plugin'],
      ['global', 'disabled', 'overridden by bundled plugin'],
    ]);
    expect(found('plugin_duplicate_id')[0]?.message).toContain(
      'duplicate plugin id detected; workspace plugin will be overridden by bundled plugin',
    );
  },
});
