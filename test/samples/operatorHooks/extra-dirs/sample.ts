import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'extraDirs may name a hook itself or begin with ~/; a folder that is missing or relative is an error',
  async prepare(root) {
    const folder = join(root, 'home/mine/tilde');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'HOOK.md'),
      '---\nname: tilde\nmetadata: { "openclaw": { "events": ["command:stop"] } }\n---\n',
    );
    await writeFile(
      join(folder, 'handler.js'),
      "module.exports = (event) => void event.messages.push('tilde');\n",
    );
  },
  async check({ load, found, emit, hook, root }) {
    const extraDirs = [join(root, 'config'), '~/mine', join(root, 'absent'), 'relative', ' '];
    await load({ config: { load: { extraDirs } } });
    expect(await emit('command:stop')).toEqual(['alone', 'tilde']);
    expect(hook('tilde').origin).toBe('config');
    expect(found('hook_folder_not_found')).toHaveLength(1);
    expect(found('hook_folder_relative')).toHaveLength(1);
  },
});
