import { describe, expect, it } from 'vitest';
import { dextoEntry } from '../../../test/builders/openDextoLoader.ts';
import { collectSecrets } from './collectSecrets.ts';

describe('collectSecrets', () => {
  it('takes the secrets of the file, settings whose names say that they are secret, and no words', () => {
    const config = {
      apiKey: 'k-12345678',
      deep: [{ access_token: 't-12345678' }],
      partitionKey: 'customers',
      secret: 'two words here',
      password: 'short',
    };
    expect(collectSecrets({ secrets: ['from-env'], plugins: [dextoEntry('a', { config })] })).toEqual([
      'from-env',
      'k-12345678',
      't-12345678',
    ]);
  });
});
