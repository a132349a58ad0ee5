import { expect } from 'vitest';
import { openSampleModels } from '../openSampleModels.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "a provider's own stream function answers as a model, with the key of the variable that it names",
  async check(world) {
    const { models, plugins, ask, names } = openSampleModels(world, { ACME_API_KEY: 'k1' });
    await plugins.sync();
    expect(names()).toEqual(['acme/one']);
    expect(models.resolve('acme/one').info).toMatchObject({
      name: 'Acme One',
      contextWindow: 9_000,
      maxOutputTokens: 500,
      thinking: true,
      imageInput: false,
    });
    expect(await ask('acme/one')).toEqual([
      { type: 'text', text: 'key k1. ' },
      { type: 'toolCall', id: 'c1', name: 'count', arguments: { text: 'a b' } },
      { type: 'done', stopReason: 'toolUse' },
    ]);
    expect(world.manager.diagnostics()).toEqual([
      expect.objectContaining({ code: 'plugin_tools_undeclared' }),
    ]);
  },
});
