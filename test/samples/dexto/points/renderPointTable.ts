import type { PointSample } from './pointSample.ts';
import { pointTable, type PointProof, type PointRow } from './pointTable.ts';

/** The last part of docs/dexto.md: every point, what holds, and how to see it. Markdown, as prettier would not write it. */
export async function renderPointTable(): Promise<string> {
  const rows = await Promise.all(pointTable.map(renderRow));
  return ['| point | is about | what holds | see |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

async function renderRow({ point, rule, proof }: PointRow): Promise<string> {
  return `| ${[String(point), rule, await heldBy(proof), seenIn(proof)].map(cell).join(' | ')} |`;
}

async function heldBy(proof: PointProof): Promise<string> {
  switch (proof.kind) {
    case 'sample': {
      const { default: sample } = (await import(`./${proof.folder}/sample.ts`)) as { default: PointSample };
      return sample.rule;
    }
    case 'document':
      return 'it is written down';
    case 'test':
      return proof.rule;
    case 'not built':
      return `not built: ${proof.reason}`;
  }
}

function seenIn(proof: PointProof): string {
  switch (proof.kind) {
    case 'sample':
      return `[sample](../test/samples/dexto/points/${proof.folder}/sample.ts)`;
    case 'document':
      return `[${proof.heading}](#${proof.heading.toLowerCase().replaceAll(' ', '-')})`;
    case 'test':
      return `[test](../${proof.path})`;
    case 'not built':
      return '–';
  }
}

/** Names in angle brackets, stars and pipes are meant as they stand. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;');
}
