import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a module may be named by any absolute path, or by a file address of one',
  async prepare({ root, agentDir }) {
    const file = join(agentDir, 'agent.yml');
    await copyFile(join(agentDir, 'far.js'), join(root, 'far away.js'));
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('ROOT', root));
  },
  async check({ say, plugin, root }) {
    expect((await say('Hello')).sent).toContain('Hello far far');
    expect(plugin('address').source).toBe(join(root, 'far away.js'));
  },
});
