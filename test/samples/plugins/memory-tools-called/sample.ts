import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTestMemory, testFile, testHit } from '../../../builders/createTestMemory.ts';
import type { PluginTool } from '../../../../src/sdk/types.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin may call the memory tools itself, as far as nobody would be asked, and only while it is loaded',
  memory: (root) =>
    createTestMemory({
      hits: [testHit({ path: join(root, 'workspace/MEMORY.md'), label: 'MEMORY.md', text: 'We use tabs.' })],
      files: [testFile({ path: join(root, 'workspace/.ssh/a.md'), label: '.ssh/a.md' })],
    }),
  prepare: (root) => writeFile(join(root, 'workspace/MEMORY.md'), 'We use tabs.'),
  async check({ runTool, workspace, load }) {
    const ask = async (tool: string, params: object): Promise<unknown> =>
      JSON.parse(await runTool('ask_memory', { tool, params })) as unknown;
    expect(await ask('memory_search', { query: 'tabs' })).toMatchObject({ results: [{ path: 'MEMORY.md' }] });
    expect(await ask('memory_get', { path: 'MEMORY.md' })).toMatchObject({ text: 'We use tabs.' });
    await expect(ask('memory_get', { path: 'package.json' })).rejects.toThrow('not part of the memory');
    await expect(ask('memory_append', { text: 'x' })).rejects.toThrow(
      "Plugin caller can't call memory_append: it changes files, and nobody would be asked.",
    );
    expect(await readdir(workspace)).toEqual(['MEMORY.md']);

    const kept = (globalThis as unknown as { kept: PluginTool }).kept;
    await load({ config: { entries: { caller: { enabled: false } } } });
    await expect(kept.execute('1', { query: 'tabs' })).rejects.toMatchObject({ code: 'plugin_unloaded' });
    Reflect.deleteProperty(globalThis, 'kept');
  },
});
