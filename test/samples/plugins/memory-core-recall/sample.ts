import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { MemoryHit } from '../../../../src/memory/memory.ts';
import { createTestMemory, testHit, type TestMemory } from '../../../builders/createTestMemory.ts';
import { installMemoryCore } from '../installMemoryCore.ts';
import { sample } from '../pluginSample.ts';

let memory: TestMemory;

export default sample({
  rule: 'memory-core quotes what fits a message out of MEMORY.md alone, with its place and day, and nothing else',
  memory: (root) => {
    const hit = (label: string, text: string): MemoryHit => {
      const terms = text.split(' ').map((term) => ({ term: term.toLowerCase(), bm25: 1 }));
      const why = { weighted: 1, decay: 1, similarity: 0, text: { score: 1, bm25: 1, terms } };
      return testHit({ path: join(root, 'workspace', label), label, text, why });
    };
    memory = createTestMemory({
      hits: [
        hit('MEMORY.md', 'indent with tabs'),
        hit('docs/MEMORY.md', 'indent with spaces'),
        hit('a.md', 'indent'),
      ],
    });
    return memory;
  },
  async prepare(root) {
    await installMemoryCore(root);
    await writeFile(join(root, 'workspace/MEMORY.md'), 'indent with tabs');
  },
  async check({ manager }) {
    const recall = async (prompt: string): Promise<string | undefined> =>
      (await manager.hooks.modify('before_prompt_build', { prompt, messages: [] }, {})).prependContext;
    const block = await recall('How do we indent?');
    expect(block).toContain('MEMORY.md#L1-L1 (2026-01-31)\n> indent with tabs\n');
    expect(block).not.toContain('spaces');
    expect(memory.asked).toEqual([
      expect.objectContaining({ query: 'How do we indent?', files: ['./MEMORY.md'], sources: ['memory'] }),
    ]);
    expect(await recall('Where does the weather come from?')).toBeUndefined();
    expect(await recall('Thanks, please go on!')).toBeUndefined();
  },
});
