import { compileGlob } from '../../../base/compileGlob.ts';
import type { MemoryQueryConfig } from '../../../config/sections/memorySection.ts';
import { dateOfFile, type FileDate } from '../../files/dateOfFile.ts';
import type { MemoryHit, MemorySearchOptions } from '../../memory.ts';
import { type Candidate, rankCandidates, type Ranked } from '../../ranking/rankCandidates.ts';
import type { StoredFile, StoredPassage } from '../../store/rows.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';

/** What each leg proposes at most. Independent of the number of results, so that a short answer is the head of a long one. */
const perLeg = 200;

export interface IndexSearch {
  readonly index: LiveIndex;
  readonly query: string;
  /** Length 1; undefined where the text alone counts. */
  readonly vector: Float32Array | undefined;
  readonly options: MemorySearchOptions;
  readonly config: MemoryQueryConfig;
  readonly isForgotten: (path: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Both legs, ranked. @throws PincerError `glob_invalid` */
export function searchIndex(search: IndexSearch): readonly MemoryHit[] {
  const { index, query, vector, options, config } = search;
  const accepts = filterOf(search);
  const limits = { limit: perLeg, ...(accepts === undefined ? {} : { accepts }) };
  const byText = index.lexical.search(query, limits);
  const byVector = vector === undefined ? [] : index.vectors.nearest(vector, perLeg, accepts);

  const legs = new Map<number, Pick<Candidate, 'bm25' | 'exact' | 'cosine'>>();
  for (const { passage, bm25, exact } of byText) {
    const cosine = vector === undefined ? undefined : index.vectors.cosine(passage, vector);
    legs.set(passage, {
      bm25,
      ...(exact === undefined ? {} : { exact }),
      ...(cosine === undefined ? {} : { cosine }),
    });
  }
  for (const { passage, cosine } of byVector) if (!legs.has(passage)) legs.set(passage, { cosine });

  const passages = new Map<number, Found>();
  const dateOf = createDates();
  const candidates: Candidate[] = [];
  for (const [passage, leg] of legs) {
    const path = index.pathOf(passage);
    const file = path === undefined ? undefined : index.file(path);
    if (file === undefined || search.isForgotten(file.path)) continue;
    const date = dateOf(file);
    const read = readOnce(index, passage);
    passages.set(passage, { read, file, date });
    candidates.push({
      passage,
      ...leg,
      date: date.isDated ? date.day : undefined,
      get text() {
        return read()?.text ?? '';
      },
    });
  }
  const ranked = rankCandidates({
    candidates,
    query: config,
    hasVectors: vector !== undefined,
    now: search.now,
    limit: options.maxResults ?? config.maxResults,
    minScore: options.minScore ?? config.minScore,
  });
  return ranked.flatMap((each) => {
    const found = passages.get(each.passage);
    const stored = found?.read();
    return found === undefined || stored === undefined ? [] : [toHit(search, each, stored, found)];
  });
}

interface Found {
  readonly read: () => StoredPassage | undefined;
  readonly file: StoredFile;
  readonly date: FileDate;
}

/** Of hundreds of candidates few are looked at: reading them all is most of what a search would take. */
function readOnce({ store }: LiveIndex, passage: number): () => StoredPassage | undefined {
  let row: { readonly stored: StoredPassage | undefined } | undefined;
  return () => (row ??= { stored: store.passage(passage) }).stored;
}

/** Many passages are of the same file. */
function createDates(): (file: StoredFile) => FileDate {
  const known = new Map<string, FileDate>();
  return (file) => {
    const date = known.get(file.path) ?? dateOfFile({ ...file, frontMatterDate: file.date });
    known.set(file.path, date);
    return date;
  };
}

function toHit(
  { index, query }: IndexSearch,
  ranked: Ranked,
  stored: StoredPassage,
  { file, date }: Found,
): MemoryHit {
  const { text, ...why } = ranked.why;
  const terms = text && index.lexical.explain(query, stored.passage, stored.terms);
  return {
    path: file.path,
    label: file.label,
    source: file.source,
    startLine: stored.startLine,
    endLine: stored.endLine,
    headings: stored.headings,
    text: stored.text,
    score: ranked.score,
    date: date.day,
    why: { ...why, ...(text === undefined ? {} : { text: { ...text, terms: terms ?? [] } }) },
  };
}

/** Undefined where every passage counts. */
function filterOf({ index, options }: IndexSearch): ((passage: number) => boolean) | undefined {
  const { sources, files } = options;
  if (sources === undefined && files === undefined) return undefined;
  const globs = files?.map((glob) => compileGlob(glob));
  const accepted = new Set<string>();
  for (const { path, label, source } of index.files().values()) {
    const names = label.split('/');
    const isNamed = globs?.some((matches) => matches(names)) ?? true;
    if (isNamed && (sources?.includes(source) ?? true)) accepted.add(path);
  }
  if (accepted.size === index.files().size) return undefined;
  return (passage) => accepted.has(index.pathOf(passage) ?? '');
}
