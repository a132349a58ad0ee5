import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PincerError } from '../../../src/base/errors.ts';

const text = z
  .string()
  .nullish()
  .transform((said) => said ?? '');

const shape = z.object({
  docs: z.array(z.object({ id: z.coerce.string(), title: text, text })).min(1),
  queries: z.array(z.object({ id: z.coerce.string(), text: z.string() })),
  qrels: z.record(z.string(), z.record(z.string(), z.number())),
});

/**
 * Documents, queries, and for each query how relevant which documents are: `qrels[query][document]`, 0 for not at all. A document
 * whose id ends with `.md` is a markdown file with that path and its own headings; any other is a title and a text.
 */
export type RetrievalSet = z.output<typeof shape>;

/** A set as a JSON file. @throws PincerError `set_unreadable` */
export async function readRetrievalSet(file: string): Promise<RetrievalSet> {
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new PincerError('set_unreadable', `${file} holds no retrieval set.`, {
      hint: 'It must be JSON like {"docs":[{"id","title","text"}],"queries":[{"id","text"}],"qrels":{"query":{"doc":1}}}.',
      cause: error,
    });
  }
}

/** The queries for which any document is relevant: the others say nothing of a search. */
export function judgedQueries(set: RetrievalSet): RetrievalSet['queries'] {
  return set.queries.filter(({ id }) => Object.values(set.qrels[id] ?? {}).some((grade) => grade > 0));
}
