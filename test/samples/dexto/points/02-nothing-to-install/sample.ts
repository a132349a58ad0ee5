import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'TypeScript that is more than types runs although neither a compiler nor @dexto/core is installed',
  async check({ say, workspace }) {
    expect(await readdir(workspace, { recursive: true })).not.toContain('node_modules');
    expect((await say('Hello')).sent).toContain('Hello (calm, twice)');
  },
});
