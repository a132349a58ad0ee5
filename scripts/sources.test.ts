import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from './projectRoot.ts';

/** `(OpenClaw hooks, Tool call policy)`: the name, and what follows it. */
const citation = /\((?<name>(?:OpenClaw|Dexto) [a-zA-Z ]+?)(?<section>[,;:)][^)]*)/gu;

it('comments cite the sources of docs/sources.md alone, by the names of sections and not their numbers', async () => {
  const table = await readFile(join(projectRoot, 'docs/sources.md'), 'utf8');
  const names = [...table.matchAll(/^\| ((?:OpenClaw|Dexto) [^|]+?) +\|/gmu)].map((match) => match[1]);
  const cited: string[] = [];
  for (const file of globSync('src/**/*.ts', { cwd: projectRoot })) {
    // A citation may go on in the next line of its comment.
    const text = (await readFile(join(projectRoot, file), 'utf8')).replace(/\n\s*\* ?/gu, ' ');
    for (const { groups } of text.matchAll(citation)) {
      const { name = '', section = '' } = groups ?? {};
      if (!names.includes(name) || /§|^, \d/u.test(section)) cited.push(`${file}: ${name}${section}`);
    }
  }
  expect(names).toHaveLength(6);
  expect(cited).toEqual([]);
});
