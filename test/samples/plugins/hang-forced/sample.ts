import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

/** As if the window that loaded it had been killed. */
async function makeOld(root: string): Promise<void> {
  const file = join(root, 'state/kept/p-p.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/"at":\d+/u, '"at":1'));
}

export default sample({
  rule: 'a plugin that hung is tried once more when the user reloads it',
  async check({ root, load, marks, manager, plugin }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await makeOld(root);
    await cp(join(root, 'state/kept'), join(root, 'state/loading'), { recursive: true });
    await load({ config: { entries: {} } });
    await manager.reload('p');
    expect(marks).toEqual(['ran', 'ran']);
    expect(plugin('p').status).toBe('loaded');
  },
});
