import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'what a handler writes into the context is seen by later ones and by the emitter; the event itself can not be spoiled',
  async check({ emit, found }) {
    const context: Record<string, unknown> = { gone: 1, stays: 2 };
    expect(await emit('command:new', { context })).toEqual(['command true kept false']);
    expect(context).toEqual({ stays: 2, note: 'kept' });
    expect(found('hook_event_damaged').map(({ message }) => message)).toEqual([
      'hook "a-vandal" left messages that are no list in event command:new; it is ignored',
      'hook "b-null" left no context in event command:new; it is ignored',
      'hook "c-getter" left an unreadable event (trap) in event command:new; it is ignored',
    ]);
  },
});
