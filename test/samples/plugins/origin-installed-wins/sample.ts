import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an installed plugin takes the place of the bundled one with its id (P2)',
  check({ marks, manager }) {
    expect(marks).toEqual(['home']);
    expect(manager.plugins().map(({ origin, reason }) => [origin, reason])).toEqual([
      ['bundled', 'overridden by global plugin'],
      ['global', 'enabled'],
    ]);
  },
});
