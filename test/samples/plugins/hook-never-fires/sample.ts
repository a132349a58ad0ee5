import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hook whose surface does not exist yet is a warning with the reason',
  check({ found }) {
    expect(found('plugin_hook_never_fires', 'cron')).toMatchObject([
      { message: 'typed hook "inbound_claim" never fires here: no message channels exist yet' },
    ]);
  },
});
