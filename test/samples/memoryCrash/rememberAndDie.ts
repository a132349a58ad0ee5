import { join } from 'node:path';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { openWholeMemory, workspaceOf } from './openWholeMemory.ts';

/**
 * A process with the whole memory over a workspace in which it changes the notes again and again, until it is killed. Each note
 * holds a word of its own, `zebra<note>x<version>`. It prints a line whenever all is indexed.
 */
const [root = '', firstVersion = ''] = process.argv.slice(2);
const notes = 30;
const fs = createNodeFileSystem();

const memory = await openWholeMemory(root);
for (let version = Number(firstVersion); ; version += 1) {
  const changed: string[] = [];
  for (let note = version % 3; note < notes; note += 3) {
    const path = join(workspaceOf(root), `note-${String(note)}.md`);
    const word = `zebra${String(note)}x${String(version)}`;
    const parts = Array.from(
      { length: 10 },
      (_, part) => `## Part ${String(part)}\n\nAbout ${word} in ${String(part)}.`,
    );
    await fs.writeFile(path, `# Note\n\n${parts.join('\n\n')}\n`);
    changed.push(path);
  }
  memory.changed(changed);
  await memory.sync({ rebuild: version % 4 === 3 });
  process.stdout.write(`indexed ${String(version)}\n`);
}
