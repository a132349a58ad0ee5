import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that imports vscode is told why it can not',
  check({ plugin }) {
    expect(plugin('editor').error).toContain('imports "vscode"');
  },
});
