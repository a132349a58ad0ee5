// Threat: passages are whatever a file says. They are printed indented and cut, each line for itself, so that none passes for
// a citation or for a message of ours.
import { PincerError } from '../../base/errors.ts';
import { plural, truncate } from '../../base/text.ts';
import { citationOf, type Memory, type MemoryAnswer, type MemoryHit } from '../../memory/memory.ts';
import { describeWhy } from '../../memory/ranking/describeWhy.ts';
import { snippetOf } from '../../memory/ranking/snippetOf.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { progressText, vectorText } from './memoryText.ts';

interface SearchOptions extends CliOptions {
  readonly max?: number;
  readonly files?: readonly string[];
  readonly explain?: boolean;
}

/** A process that has just started knows of no change yet: it gives the first scan this long, then answers with what is there. */
const waitMs = 3_000;
const maxLine = 300;
const indent = '    ';

/**
 * `pincer memory search`: passages, best first. To find nothing is no failure.
 * @throws PincerError `query_empty`, `glob_invalid`
 */
export async function runMemorySearch(
  options: SearchOptions,
  query: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async ({ memory }) => {
    await withInterrupt((signal) => searchMemory(memory, query, options, output, signal));
    return exitCodes.ok;
  });
}

export async function searchMemory(
  memory: Memory,
  query: string,
  options: Pick<SearchOptions, 'max' | 'files' | 'explain' | 'json'>,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (query.trim() === '') throw new PincerError('query_empty', 'There is nothing to search for.');
  const { max, files, explain = false, json } = options;
  const answer = await memory.search(
    query,
    { waitMs, ...(max === undefined ? {} : { maxResults: max }), ...(files === undefined ? {} : { files }) },
    signal,
  );
  if (json === true) {
    output.out(toJson({ query, ...answer, hits: answer.hits.map(withCitation) }));
    return;
  }
  for (const hit of answer.hits) output.out(`${hitLines(hit, query, explain).join('\n')}\n\n`);
  if (answer.hits.length === 0) output.out(await nothingFound(memory, query, files));
  for (const note of notesOf(answer, explain)) output.err(`${inertFact(note)}\n`);
}

function withCitation(hit: MemoryHit): MemoryHit & { readonly citation: string } {
  return { citation: citationOf(hit), ...hit };
}

function hitLines(hit: MemoryHit, query: string, explain: boolean): readonly string[] {
  const headings = hit.headings.length === 0 ? [] : [`  ${inertFact(hit.headings.join(' › '))}`];
  const why = explain ? describeWhy(hit).map((row) => `  - ${inertFact(row)}`) : [];
  return [
    `${inertFact(citationOf(hit))}  ${hit.score.toFixed(2)}  ${inertFact(hit.date)}`,
    ...headings,
    ...why,
    ...snippetOf(hit.text, query)
      .split(/\r?\n/u)
      .map((line) => `${indent}${truncate(line, maxLine)}`.trimEnd()),
  ];
}

async function nothingFound(
  memory: Memory,
  query: string,
  globs: readonly string[] | undefined,
): Promise<string> {
  const { files, stale } = await memory.status();
  const where = globs === undefined ? '' : ` that match ${inertFact(globs.join(' or '))}`;
  const waiting =
    stale === 0 ? '' : ` ${plural(stale, 'changed file is', 'changed files are')} not read yet.`;
  const among = globs === undefined ? plural(files, 'file') : `those of ${plural(files, 'file')}${where}`;
  return `Nothing was found for "${inertFact(query)}" in ${among}.${waiting}\n`;
}

/** What the reader must know to judge the answer. */
function notesOf({ hits, indexing, vector }: MemoryAnswer, explain: boolean): readonly string[] {
  const missing =
    indexing === undefined
      ? []
      : [`note: Not everything is indexed yet (${progressText(indexing)}); pincer memory index finishes it.`];
  const isWorthSaying = vector.state === 'failing' || explain || hits.length === 0;
  return isWorthSaying ? [...missing, `note: Semantic search is ${vectorText(vector)}`] : missing;
}
