import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "routes that overlap want the same auth, and none lies on the gateway's own paths",
  check({ found }) {
    expect(
      found('plugin_registration_refused').map(({ pluginId, message }) => `${pluginId ?? ''}: ${message}`),
    ).toEqual([
      'a-open: http route /v1/models belongs to the gateway itself',
      'a-open: http route /odd has an unknown match: it is exact or prefix',
      'b-guarded: http route /app/admin overlaps /app (a-open), which wants another auth',
    ]);
  },
});
