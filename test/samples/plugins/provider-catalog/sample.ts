import { expect } from 'vitest';
import { openSampleModels } from '../openSampleModels.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a catalog is asked for its models with the key there is, and says by itself which providers they are of',
  async check(world) {
    const without = openSampleModels(world);
    await without.plugins.sync();
    expect(without.names().sort()).toEqual(['left/found', 'right/found']);
    expect(without.plugins.diagnostics()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'plugin_provider_empty',
          message: 'provider "keyed" has no models now',
          hint: 'Set KEYED_API_KEY and start again.',
        }),
        expect.objectContaining({
          code: 'plugin_provider_failed',
          message: 'provider "broken" did not say which models it has: no network',
        }),
      ]),
    );
    const withKey = openSampleModels(world, { KEYED_API_KEY: 'k' });
    await withKey.plugins.sync();
    expect(withKey.names()).toContain('keyed/found');
  },
});
