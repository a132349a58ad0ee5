import { describe, expect, it } from 'vitest';
import { findThinFiles, readProductFiles, type ProductFile } from './findThinFiles.ts';

const user: ProductFile = {
  path: 'src/hooks/user.ts',
  lines: 300,
  importers: ['src/hooks/a.ts', 'src/hooks/b.ts'],
  isTested: false,
  hasThreat: false,
  isLoadedLater: false,
};
const thin: ProductFile = { ...user, path: 'src/hooks/thin.ts', lines: 99, importers: ['src/hooks/user.ts'] };

describe('findThinFiles', () => {
  it('names a short file that only one other needs, and that other', () => {
    expect(findThinFiles([user, thin])).toEqual([['src/hooks/thin.ts', 'src/hooks/user.ts']]);
  });

  it.each<readonly [string, Partial<ProductFile>]>([
    ['two files import', { importers: ['src/hooks/user.ts', 'esbuild.mjs'] }],
    ['nothing imports, since a program begins there', { importers: [] }],
    ['has 150 lines', { lines: 150 }],
    ['would make its user longer than 400 lines', { lines: 101 }],
    ['a test imports', { isTested: true }],
    ['opens with a threat', { hasThreat: true }],
    ['is loaded later', { isLoadedLater: true }],
    ['is a row of a table', { importers: ['src/hooks/hookCatalog.ts'] }],
    ['is of another tier', { path: 'src/base/thin.ts' }],
  ])('leaves alone what %s', (_, changed) => {
    expect(findThinFiles([user, { ...thin, ...changed }])).toEqual([]);
  });

  it('reads the product: who imports a file, types counted, and whether a test does', async () => {
    const files = new Map((await readProductFiles()).map((file) => [file.path, file]));
    expect(files.get('src/plugins/openclaw/libraryFiles.ts')?.importers).toContain('esbuild.mjs');
    expect(files.get('src/schedule/cronTimes.ts')).toMatchObject({ isLoadedLater: true });
    expect(files.get('src/hooks/callHandlers.ts')).toMatchObject({ hasThreat: true });
    expect([...files.keys()].filter((path) => path.endsWith('.test.ts'))).toEqual([]);
  });
});
