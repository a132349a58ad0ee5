import { expect } from 'vitest';
import { openSampleModels } from '../openSampleModels.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the models of a provider go when its plugin is switched off, and come back with it',
  async check(world) {
    const { plugins, names, ask } = openSampleModels(world);
    await plugins.sync();
    expect(names()).toEqual(['acme/one']);
    await world.load({ config: { deny: ['acme'] } });
    await plugins.sync();
    expect(names()).toEqual([]);
    await world.load({ config: { deny: [] } });
    await plugins.sync();
    expect(names()).toEqual(['acme/one']);
    expect(await ask('acme/one')).toEqual([
      { type: 'text', text: 'whole' },
      { type: 'done', stopReason: 'stop' },
    ]);
  },
});
