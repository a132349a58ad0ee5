import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a channel is listed by its id, given directly or as plugin',
  check({ plugin, found }) {
    expect(plugin('chat').registrations).toEqual({ channel: ['irc', 'matrix'] });
    expect(found('plugin_registration_refused', 'chat')).toMatchObject([
      { message: 'channel registration missing id' },
    ]);
  },
});
