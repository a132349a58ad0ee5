import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const version = (tag: string, initialize = ''): string => `export default class Tag {
  initialize() { ${initialize} }
  beforeResponse({ content }) { return { ok: true, modify: { content: content + ' (${tag})' } }; }
}`;
const calls = { toolCalls: [{ name: 'ls', arguments: {} }] };

export default sample({
  rule: 'a plugin that is being developed runs as saved from the next turn on; a turn that runs keeps its plugins; what can not be loaded leaves the old version',
  async check({ say, save, runtime, plugin }) {
    await runtime.plugins.setDeveloping('dexto:tag', true);
    const saved: Promise<void>[] = [];
    const code = '.pincer/plugins/tag.js';
    // In the middle of a turn.
    Object.assign(globalThis, { mark: () => saved.push(save(code, version('2'))) });
    expect((await say('go', [calls, { text: 'Done.' }])).shown).toBe('Done. (1)');
    expect(saved).toHaveLength(1);
    await Promise.all(saved);
    expect((await say('go', [{ text: 'Done.' }])).shown).toBe('Done. (2)');
    await save(code, version('3', "throw new Error('no tide table');"));
    expect((await say('go', [{ text: 'Done.' }])).shown).toBe('Done. (2)');
    expect(plugin('tag')).toMatchObject({
      status: 'loaded',
      error: expect.stringContaining('no tide table') as unknown,
    });
    await save(code, version('4'));
    expect((await say('go', [{ text: 'Done.' }])).shown).toBe('Done. (4)');
    expect(plugin('tag').error).toBeUndefined();
  },
});
