import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Leaves the mark that the plugin kept a copy of in `state/kept` (see the fixtures `hang-*`), as that many windows would that
 * never came back. `isOld` makes it one of long ago, else those windows are at it right now.
 */
export async function leaveMarks(root: string, count: number, isOld = true): Promise<void> {
  const [name = ''] = await readdir(join(root, 'state/kept'));
  const mark = await readFile(join(root, 'state/kept', name), 'utf8');
  const content = isOld ? mark.replace(/"at":\d+/u, '"at":1') : mark;
  for (let at = 0; at < count; at += 1) {
    await writeFile(join(root, 'state/loading', `p-p.window-${String(at)}.json`), content);
  }
}
