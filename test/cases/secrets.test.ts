import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measureRecall } from '../../scripts/cases/secrets.ts';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { findSecrets } from '../../src/base/secrets/findSecrets.ts';

it('finds 98 of 100 secrets that are planted as they stand in files', () => {
  const { planted, found, missed } = measureRecall(10, 1);
  expect(found / planted, [...missed].join(' ')).toBeGreaterThanOrEqual(0.98);
});

it('takes nothing out of prose about code', async () => {
  const folder = join(projectRoot, 'docs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const alarms = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return findSecrets(text).map(
        ({ start, end, name: kind }) => `${name}: ${kind}: ${text.slice(start - 20, end)}`,
      );
    }),
  );
  expect(alarms.flat()).toEqual([]);
});
