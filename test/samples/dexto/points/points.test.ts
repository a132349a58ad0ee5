import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPointWorld } from './openPointWorld.ts';
import type { PointSample } from './pointSample.ts';
import { pointTable, type PointProof } from './pointTable.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const project = join(import.meta.dirname, '../../../..');

describe('the points of the Dexto dialect', () => {
  it('are 1 to 72, each with its rule and what shows it', () => {
    expect(pointTable.map(({ point }) => point)).toEqual(Array.from({ length: 72 }, (_, index) => index + 1));
    for (const { rule } of pointTable) expect(rule).not.toBe('');
  });

  it('have no sample that stands for no point', () => {
    const named = pointTable.flatMap(({ proof }) => (proof.kind === 'sample' ? [proof.folder] : []));
    expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
  });

  it.each(pointTable)('$point is shown: $rule', ({ proof }) => {
    expect(missingIn(proof)).toBeUndefined();
  });
});

/** One folder, one rule; the test is named after all points that it shows. */
describe('samples of points', async () => {
  for (const folder of folders) {
    const { default: sample } = (await import(`./${folder}/sample.ts`)) as { default: PointSample };
    it(`${pointsOf(folder)}: ${sample.rule}`, async () => {
      const world = await openPointWorld(sample, join(import.meta.dirname, folder, 'fixture'));
      try {
        await sample.check(world);
      } finally {
        await world.close();
      }
    });
  }
});

function pointsOf(folder: string): string {
  const rows = pointTable.filter(({ proof }) => proof.kind === 'sample' && proof.folder === folder);
  return rows.map(({ point }) => String(point)).join(', ');
}

/** What the proof names and is not there. */
function missingIn(proof: PointProof): string | undefined {
  switch (proof.kind) {
    case 'sample':
      return existsSync(join(import.meta.dirname, proof.folder, 'sample.ts')) ? undefined : proof.folder;
    case 'document': {
      const path = join(project, proof.path);
      const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      return lines.some((line) => /^#+ /u.test(line) && line.replace(/^#+ /u, '') === proof.heading)
        ? undefined
        : `${proof.path}: ${proof.heading}`;
    }
    case 'test':
      return readFileSync(join(project, proof.path), 'utf8').includes(`it('${proof.name}'`)
        ? undefined
        : proof.name;
    case 'not built':
      return proof.reason.length > 20 ? undefined : 'a reason';
  }
}
