import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPluginFolder } from '../discover/pluginFileNames.ts';
import { installFolder } from './installFolder.ts';

describe('installFolder', () => {
  it.each(['a', 'word-count', 'Words_2.0'])('is named like the plugin: %s', (id) => {
    expect(installFolder('/home', id)).toBe(join('/home', 'plugins', id));
  });

  it.each([
    '..',
    '.',
    '../../x',
    '/etc',
    '@scope/name',
    'con',
    'nul.txt',
    'a\\b',
    'a.',
    '',
    'x.disabled',
    'dist',
  ])('is a safe folder that is searched for plugins: %j', (id) => {
    const folder = installFolder('/home', id);
    expect(dirname(folder)).toBe(join('/home', 'plugins'));
    expect(folder).toContain('p-');
    expect(isPluginFolder(folder.slice(dirname(folder).length + 1))).toBe(true);
  });
});
