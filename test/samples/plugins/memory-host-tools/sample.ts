import { join } from 'node:path';
import { expect } from 'vitest';
import { testCall } from '../../../builders/callContexts.ts';
import { createTestMemory, testHit } from '../../../builders/createTestMemory.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "the host's memory tools, registered by a plugin, are its own, with the host's effects and approvals",
  memory: (root) =>
    createTestMemory({
      hits: [testHit({ path: join(root, 'workspace/MEMORY.md'), label: 'MEMORY.md', text: 'We use tabs.' })],
    }),
  async check({ manager, runTool, workspace }) {
    const tools = manager.tools({ workspaceDir: workspace });
    expect(tools.map(({ name, owner, mayWrite }) => ({ name, owner, mayWrite }))).toEqual(
      ['memory_search', 'memory_get', 'memory_append'].map((name) => ({
        name,
        owner: { kind: 'plugin', pluginId: 'notes' },
        mayWrite: name === 'memory_append',
      })),
    );
    expect(JSON.parse(await runTool('memory_search', { query: 'tabs' }))).toMatchObject({
      results: [{ path: 'MEMORY.md', citation: 'MEMORY.md#L1-L1', snippet: 'We use tabs.' }],
    });
    const append = tools.find(({ name }) => name === 'memory_append');
    const call = await append?.prepare(testCall(), { text: 'x', date: '2026-01-31' });
    expect(call?.effects).toMatchObject([{ kind: 'edit', edit: { label: 'memory/2026-01-31.md' } }]);
  },
});
