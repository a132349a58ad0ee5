import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'in a window that is not trusted no consent is asked for',
  trusted: false,
  consent: false,
  check({ plugin }) {
    expect(plugin('p')).toMatchObject({ status: 'disabled', reason: 'workspace is not trusted' });
    expect(plugin('p').needsConsent).toBeUndefined();
  },
});
