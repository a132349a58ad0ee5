import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that throws while it loads is an error with its text, and its neighbours load',
  check({ plugin }) {
    expect(plugin('bad')).toMatchObject({
      status: 'error',
      failurePhase: 'load',
      error: 'failed to load plugin: wrong machine',
    });
    expect(plugin('broken')).toMatchObject({ status: 'error', failurePhase: 'load' });
    expect(plugin('good').status).toBe('loaded');
  },
});
