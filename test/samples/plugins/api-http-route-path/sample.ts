import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an HTTP route is listed by its normalised path; older plugins give no auth',
  check({ plugin }) {
    expect(plugin('server').registrations).toEqual({ 'http route': ['/a/b', '/c'] });
  },
});
