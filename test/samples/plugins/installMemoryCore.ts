import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts the program's own memory plugin among the bundled ones of a sample. */
export async function installMemoryCore(root: string): Promise<void> {
  const source = new URL('../../../plugins/memory-core', import.meta.url);
  await cp(source, join(root, 'bundled', 'memory-core'), { recursive: true });
}
