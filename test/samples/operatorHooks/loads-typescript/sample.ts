import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a folder with HOOK.md and a TypeScript handler is a hook whose handler gets the event as upstream shapes it (P4b)',
  async check({ hook, emit }) {
    expect(hook('greeter')).toMatchObject({
      status: 'loaded',
      origin: 'managed',
      emoji: '👋',
      description: 'A sample.',
      events: ['command:new'],
    });
    expect(await emit('command:new', { sessionKey: 'main', context: { senderId: 'user' } })).toEqual([
      'hello command new main true user',
    ]);
    expect(await emit('command:reset')).toEqual([]);
  },
});
