import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Memory } from '../../../../src/memory/memory.ts';
import { testCall, testRun } from '../../../builders/callContexts.ts';
import { openRealMemory } from '../../../builders/openRealMemory.ts';
import { sample } from '../pluginSample.ts';

let memory: Memory;

export default sample({
  rule: "the host's memory tools, registered by a plugin, are its own, with the host's effects and approvals",
  memory(root) {
    memory = openRealMemory(join(root, 'workspace'), join(root, 'state'));
    return memory;
  },
  async prepare(root) {
    await mkdir(join(root, 'workspace/docs'));
    await writeFile(join(root, 'workspace/docs/style.md'), '# Style\n\nWe indent with tabs.\n');
  },
  async check({ manager, runTool, workspace }) {
    const tools = manager.tools({ workspaceDir: workspace });
    expect(tools.map(({ name, owner, mayWrite }) => ({ name, owner, mayWrite }))).toEqual(
      ['memory_search', 'memory_get', 'memory_append'].map((name) => ({
        name,
        owner: { kind: 'plugin', pluginId: 'notes' },
        mayWrite: name === 'memory_append',
      })),
    );
    await memory.sync();
    const found = JSON.parse(await runTool('memory_search', { query: 'indenting' })) as unknown;
    expect(found).toMatchObject({
      results: [{ path: 'docs/style.md', citation: 'docs/style.md#L1-L3', headings: ['Style'] }],
      mode: 'text',
    });
    expect(JSON.parse(await runTool('memory_get', { path: 'docs/style.md', from: 3 }))).toMatchObject({
      text: 'We indent with tabs.',
    });
    await expect(runTool('memory_get', { path: 'package.json' })).rejects.toThrow('not part of the memory');

    const append = tools.find(({ name }) => name === 'memory_append');
    const call = await append?.prepare(testCall(), { text: 'Lines end with LF.', date: '2026-01-31' });
    expect(call?.effects).toMatchObject([{ kind: 'edit', edit: { label: 'memory/2026-01-31.md' } }]);
    await call?.run(testRun());
    await memory.sync();
    expect(await runTool('memory_search', { query: 'line endings' })).toContain('memory/2026-01-31.md#L1-L5');
  },
});
