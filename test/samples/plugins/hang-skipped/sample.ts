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
  rule: 'a plugin that did not come back from loading is skipped at the next start and named',
  async check({ root, load, marks, plugin, found }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await makeOld(root);
    await cp(join(root, 'state/kept'), join(root, 'state/loading'), { recursive: true });
    await load({ config: { entries: {} } });
    expect(marks.toSorted()).toEqual(['other', 'ran']);
    expect(plugin('p').error).toBe('plugin p did not finish loading last time; it is skipped');
    expect(found('plugin_hung', 'p')).toMatchObject([
      { level: 'error', fixes: [{ kind: 'reload-plugin', pluginId: 'p' }] },
    ]);
  },
});
