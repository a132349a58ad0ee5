import { join } from 'node:path';
import { expect } from 'vitest';
import { writeRecord } from '../installRecord.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an installed plugin takes the place of the bundled one with its id',
  prepare: (root) => writeRecord(join(root, 'home'), 'p', join(root, 'home/plugins/p')),
  check({ marks, manager }) {
    expect(marks).toEqual(['home']);
    expect(manager.plugins().map(({ origin, reason, isInstalled }) => [origin, reason, isInstalled])).toEqual(
      [
        ['bundled', 'overridden by global plugin', undefined],
        ['global', 'enabled', true],
      ],
    );
  },
});
