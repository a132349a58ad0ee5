import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTestMemory, type TestMemory } from '../../../builders/createTestMemory.ts';
import { installMemoryCore } from '../installMemoryCore.ts';
import { sample } from '../pluginSample.ts';

let memory: TestMemory;

export default sample({
  rule: 'a memory that does not answer in time delays no turn: it goes on without notes and without a warning',
  memory: () => {
    memory = createTestMemory({ isCold: true });
    return memory;
  },
  async prepare(root) {
    await installMemoryCore(root);
    await writeFile(join(root, 'workspace/MEMORY.md'), 'indent with tabs');
  },
  async check({ manager, found, log }) {
    const prompt = 'How do we indent?';
    const change = await manager.hooks.modify('before_prompt_build', { prompt, messages: [] }, {});
    expect(change).toEqual({});
    expect(memory.asked).toHaveLength(1);
    expect(found('hook_timeout')).toEqual([]);
    expect(log.lines.filter(({ level }) => level !== 'info' && level !== 'debug')).toEqual([]);
  },
});
