import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what of a provider has no effect is named',
  check({ found, manager }) {
    expect(found('plugin_provider_partly').map(({ message }) => message)).toEqual([
      'provider "acme": fetchUsageSnapshot, prepareRuntimeAuth have no effect here',
    ]);
    expect(found('plugin_registration_unused').map(({ message }) => message)).toEqual([
      'provider "speech" is registered, but brings no models',
    ]);
    expect(found('plugin_registration_refused').map(({ message }) => message)).toEqual([
      'provider id "a/b" must not hold a slash',
    ]);
    expect(manager.providers().map(({ id, pluginId }) => `${pluginId} ${id}`)).toEqual([
      'acme acme',
      'acme speech',
    ]);
  },
});
