import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'an event that nothing fires yet is accepted with a warning that says why',
  check({ hook, found }) {
    expect(hook('compact')).toMatchObject({
      status: 'loaded',
      events: ['session:compact:before', 'command:new'],
    });
    expect(found('hook_event_never_fires')).toMatchObject([
      {
        level: 'warn',
        message:
          'hook "compact" listens to event "session:compact:before", which never fires: Pincer does not compact sessions yet',
      },
    ]);
  },
});
