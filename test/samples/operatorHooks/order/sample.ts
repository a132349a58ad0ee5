import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'listeners of a type come before those of type:action, each in the order they were found; one of both is called twice',
  async check({ emit, events }) {
    const said: string[] = [];
    const plugin = (name: string) => ({
      name,
      pluginId: 'p',
      events: ['command'],
      handler: (event: { readonly messages: string[] }) => void event.messages.push(name),
    });
    events.setListeners('plugins', [plugin('general plugin')]);
    said.push(...(await emit('command:new')));
    expect(said).toEqual(['general b', 'both c', 'general plugin', 'specific a', 'both c']);
    expect(events.has('command', 'anything')).toBe(true);
    expect(events.has('session', 'patch')).toBe(false);
  },
});
