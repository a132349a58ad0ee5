import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTestMemory, testHit } from '../../../builders/createTestMemory.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "a memory tool of the host that a plugin has wrapped is the plugin's, and can write nothing unasked",
  memory: (root) =>
    createTestMemory({
      hits: [testHit({ path: join(root, 'workspace/MEMORY.md'), label: 'MEMORY.md', text: 'We use tabs.' })],
    }),
  async check({ manager, runTool, workspace }) {
    // What a plugin's own code does is not known, so that a restricted window leaves all of it out.
    expect(manager.tools({}).map(({ mayWrite }) => mayWrite)).toEqual([true, true, true]);
    expect(await runTool('memory_search', { query: 'tabs' })).toBe('mine: MEMORY.md');
    await expect(runTool('memory_append', { text: 'x' })).rejects.toThrow('nobody would be asked');
    expect(await readdir(workspace)).toEqual([]);
  },
});
