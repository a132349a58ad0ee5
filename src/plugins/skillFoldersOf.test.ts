import { expect, it } from 'vitest';
import { skillFoldersOf } from './skillFoldersOf.ts';

const candidate = { origin: 'workspace', rootDir: '/p', source: '/p/index.js', idHint: 'p' } as const;
const manifest = { skills: ['skills', './more/', '../outside', '/etc'] } as never;

it('gives the folders that the manifest names, and none outside of the plugin', () => {
  const plan = { id: 'p', candidate: { ...candidate, isLooseFile: false }, manifest };
  expect(skillFoldersOf(plan)).toEqual([
    { pluginId: 'p', rootDir: '/p', folder: '/p/skills' },
    { pluginId: 'p', rootDir: '/p', folder: '/p/more' },
  ]);
});

it('gives none while changed files wait for the user', () => {
  const needsConsent = { why: 'files-changed', hash: 'x', changedFiles: [] } as const;
  const plan = { id: 'p', candidate: { ...candidate, isLooseFile: false }, manifest, needsConsent };
  expect(skillFoldersOf(plan)).toEqual([]);
});
