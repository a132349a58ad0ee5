import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that is replaced, disabled or enabled hears gateway_stop and gateway_start of its own version, and no other plugin does',
  async check({ runtime, workspace, marks, writePlugin }) {
    let heard = 0;
    const since = (): readonly unknown[] => marks.slice(heard, (heard = marks.length));
    await runtime.plugins.setDeveloping('reader', true);
    expect(since()).toEqual(['other starts', 'version 1 starts']);
    const code = await readFile(join(workspace, '.pincer/plugins/reader/index.js'), 'utf8');
    const saved = [await writePlugin('reader', code.replaceAll('version 1', 'version 2'))];
    runtime.workspace.followSaves(() => Promise.resolve(saved.splice(0)));
    await runtime.workspace.filesChanged();
    expect(since()).toEqual(['version 1 stops: restart', 'version 2 starts']);
    await runtime.plugins.setEnabled('reader', false);
    expect(since()).toEqual(['version 2 stops: disable']);
    await runtime.plugins.setEnabled('reader', true);
    expect(since()).toEqual(['version 2 starts']);
    await runtime.stop('shutdown');
    expect(since()).toEqual(['other stops: shutdown', 'version 2 stops: shutdown']);
  },
});
