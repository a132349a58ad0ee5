import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'an event that nothing fires yet is accepted with a warning that says why',
  check({ hook, found }) {
    expect(hook('listen')).toMatchObject({
      status: 'loaded',
      events: ['message:transcribed', 'command:new'],
    });
    expect(found('hook_event_never_fires')).toMatchObject([
      {
        level: 'warn',
        message:
          'hook "listen" listens to event "message:transcribed", which never fires: Pincer takes no audio',
      },
    ]);
  },
});
