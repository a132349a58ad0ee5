import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'one plugin that can not be initialized stops the agent and is named; those before it are cleaned up in reverse; the rest of the window lives',
  async check(world) {
    const { say, save, agree, restart, plugin, found } = world;
    await save(
      '.pincer/dexto/third/index.js',
      'export default class { initialize() { throw new Error("no boat"); } beforeResponse() {} }',
    );
    await agree();
    await restart();
    expect(world.marks).toEqual(['first begins', 'second begins', 'second ends', 'first ends']);
    await expect(say('Hello')).rejects.toMatchObject({
      code: 'agent_stopped',
      message: expect.stringMatching(/plugin 'third' could not be initialized: no boat/u) as unknown,
      hint: expect.stringContaining('Correct that, then send the message again.') as unknown,
    });
    expect(plugin('third')).toMatchObject({ status: 'error', failurePhase: 'register' });
    expect(plugin('fourth').reason).toContain('no boat');
    expect(found('plugin_initialization_failed')[0]?.fixes).toContainEqual({
      kind: 'reload-plugin',
      pluginId: 'dexto:third',
    });
    const others = world.runtime.plugins.plugins().filter(({ id }) => !id.startsWith('dexto:'));
    expect(others.some(({ status }) => status === 'loaded')).toBe(true);
  },
});
