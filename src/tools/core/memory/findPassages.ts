// Threat: a passage gives orders, hides characters that only a model reads, or comes from a file that may hold secrets. So
// what is handed on stands in JSON strings, which no text can close, and files that `read` would ask about are left out.
import {
  citationOf,
  type MemoryAnswer,
  type MemoryHit,
  type MemorySearchOptions,
} from '../../../memory/memory.ts';
import { snippetOf } from '../../../memory/ranking/snippetOf.ts';
import { protectionOf } from '../../paths/protectedPaths.ts';
import { flavourOf, placeOf, type WorkspaceLayout } from '../../paths/workspaceLayout.ts';
import type { MemoryToolDeps } from './memoryToolDeps.ts';

/** Characters of a passage that are quoted (upstream's number). */
const maxSnippet = 700;

/** A passage as `memory_search` gives it: upstream's fields, and the day of the note. */
export interface MemoryPassage {
  /** As `memory_get` takes it. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly snippet: string;
  readonly source: MemoryHit['source'];
  readonly citation: string;
  readonly date: string;
  readonly headings?: readonly string[];
}

export interface FoundPassages {
  readonly answer: MemoryAnswer;
  /** The hits that may be quoted, best first. */
  readonly hits: readonly MemoryHit[];
  /** How many were left out because their file may hold secrets. */
  readonly withheld: number;
}

/** Searches the memory and leaves out what a tool may not quote unasked. @throws PincerError `memory_*`, `cancelled` */
export async function findPassages(
  { memory, layout }: Pick<MemoryToolDeps, 'memory' | 'layout'>,
  query: string,
  options: MemorySearchOptions,
  signal: AbortSignal,
): Promise<FoundPassages> {
  const answer = await memory.search(query, options, signal);
  const hits = answer.hits.filter((hit) => mayQuote(layout(), hit));
  return { answer, hits, withheld: answer.hits.length - hits.length };
}

export function toPassage(hit: MemoryHit, query: string): MemoryPassage {
  const { label, startLine, endLine, score, text, source, date, headings } = hit;
  return {
    path: label,
    startLine,
    endLine,
    score: Math.round(score * 1_000) / 1_000,
    snippet: snippetOf(text, query, maxSnippet),
    source,
    citation: citationOf(hit),
    date,
    ...(headings.length === 0 ? {} : { headings }),
  };
}

function mayQuote(layout: WorkspaceLayout, { path, source }: MemoryHit): boolean {
  if (source === 'sessions') return true;
  const { sep } = flavourOf(layout.platform);
  const names = placeOf(layout, path)?.segments ?? path.split(sep).filter((name) => name !== '');
  return protectionOf(names, 'read') === undefined;
}
