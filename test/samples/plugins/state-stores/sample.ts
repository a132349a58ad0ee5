import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what a plugin keeps in its stores is bounded, the oldest goes first, and it is there again after a reload',
  async check({ runTool, manager }) {
    const full = 'PLUGIN_STATE_LIMIT_EXCEEDED';
    expect(await runTool('count_word', { word: 'oar' })).toBe(`oar1 oar:oar ${full}`);
    expect(await runTool('count_word', { word: 'oar' })).toBe(`oar2 oar:oar ${full}`);
    await manager.reload('keeper');
    expect(await runTool('count_word', { word: 'sail' })).toBe(`oar2 sail1 oar:oar sail:sai ${full}`);
    expect(await runTool('count_word', { word: 'anchor' })).toBe(`sail1 anchor1 sail:sai anchor:anc ${full}`);
  },
});
