import { expect } from 'vitest';
import { PincerError } from '../../../../src/base/errors.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugins folder that can not be read is named; the others are searched',
  disk: (real) => ({
    ...real,
    readDirectory: (path) =>
      path.endsWith('plugins') && path.includes('home')
        ? Promise.reject(new PincerError('io_failed', 'permission denied'))
        : real.readDirectory(path),
  }),
  check({ marks, found }) {
    expect(marks).toEqual(['other']);
    expect(found('plugin_folder_unreadable')[0]?.message).toMatch(
      /^failed to read extensions dir: .*home.plugins/u,
    );
  },
});
