import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './projectRoot.ts';
import { renderHookDocs } from './renderHookDocs.ts';

/** Written by this script only. */
export const hookDocsPath = join(projectRoot, 'docs/hooks.md');

/** `writeHookDocs [--check]`: writes docs/hooks.md; with `--check` gives 1 where it is not what it would write. */
export async function main(args: readonly string[]): Promise<number> {
  const text = await renderHookDocs();
  if (!args.includes('--check')) {
    await writeFile(hookDocsPath, text);
    return 0;
  }
  if ((await readFile(hookDocsPath, 'utf8')) === text) return 0;
  console.error('docs/hooks.md is stale. Write it again: node scripts/run.mjs writeHookDocs');
  return 1;
}
