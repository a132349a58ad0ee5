import { expect } from 'vitest';
import { PincerError } from '../../../../src/base/errors.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin with a file that may not be read fails alone',
  disk: (real) => ({
    ...real,
    readFile: (path, maxBytes) =>
      path.endsWith('secret.ts')
        ? Promise.reject(new PincerError('io_failed', 'permission denied'))
        : real.readFile(path, maxBytes),
  }),
  check({ marks, plugin }) {
    expect(marks).toEqual(['other']);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'load' });
    expect(plugin('p').error).toBe('failed to load plugin: permission denied');
  },
});
