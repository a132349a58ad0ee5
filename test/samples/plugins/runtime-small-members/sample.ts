import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin reads how an agent presents itself, has a folder made, and words for a missing add-on',
  async check({ runTool, workspace, found }) {
    const dir = join(workspace, 'deep', 'own');
    expect(JSON.parse(await runTool('tidy'))).toEqual([
      { name: 'Mate' },
      { emoji: '🍲' },
      null,
      { dir },
      'Install sharp and rebuild its native module (pnpm approve-builds (select sharp); pnpm rebuild sharp).',
      'Install sharp and rebuild its native module (npm rebuild sharp; get it).',
    ]);
    expect(existsSync(dir)).toBe(true);
    expect(readdirSync(dir)).toEqual([]);
    expect(found('plugin_method_unsupported').map(({ message }) => message)).toEqual([
      expect.stringContaining('it makes the folder and writes no files into it'),
    ]);
  },
});
