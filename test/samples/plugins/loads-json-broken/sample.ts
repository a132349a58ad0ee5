import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a JSON file that is none is an error with its name',
  check({ plugin }) {
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'load' });
    expect(plugin('p').error).toContain('data.json');
  },
});
