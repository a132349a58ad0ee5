import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTestMemory, testHit } from '../../../builders/createTestMemory.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "a plugin searches and reads the memory as upstream's search manager, by the rules of the tools",
  memory: (root) => {
    const at = (label: string) => ({ path: join(root, 'workspace', label), label });
    return createTestMemory({
      hits: [
        testHit({ ...at('MEMORY.md'), text: 'tabs' }),
        testHit({ ...at('memory/a.md'), text: 'tabs, too' }),
        testHit({ ...at('memory/.ssh/b.md'), text: 'a key' }),
      ],
    });
  },
  async prepare(root) {
    await mkdir(join(root, 'workspace/memory'));
    await writeFile(join(root, 'workspace/memory/a.md'), 'one\ntwo\nthree');
  },
  async check({ runTool }) {
    expect(JSON.parse(await runTool('recall', { path: 'memory/a.md' }))).toMatchObject({
      found: [{ path: 'memory/a.md', snippet: 'tabs, too', date: '2026-01-31', why: { weighted: 0.5 } }],
      read: { path: 'memory/a.md', text: 'two' },
      status: { backend: 'builtin', custom: { recall: { maxSnippets: 3, files: ['./MEMORY.md'] } } },
    });
    await expect(runTool('recall', { path: 'secret.txt' })).rejects.toThrow('not part of the memory');
  },
});
