import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'an unknown event is named with the nearest known one; a hook with no known event is an error',
  async check({ found, hook, emit }) {
    expect(found('hook_event_unknown').map(({ message, hint }) => [message, hint?.slice(0, 29)])).toEqual([
      ['hook "lost" listens to event "gatway:start", which does not exist', 'Did you mean "gateway:startup'],
      ['hook "typo" listens to event "comand:new", which does not exist', 'Did you mean "command:new"?'],
      [
        'hook "typo" listens to event "sessions:ended:now", which does not exist',
        'Events are: command, command:',
      ],
    ]);
    expect(hook('typo')).toMatchObject({ status: 'loaded', events: ['command:reset'] });
    expect(hook('lost')).toMatchObject({ status: 'error', reason: 'none of its events exists' });
    expect(await emit('comand:new')).toEqual([]);
  },
});
