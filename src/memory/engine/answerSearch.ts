import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { compileGlob } from '../../base/compileGlob.ts';
import type { MemoryQueryConfig } from '../../config/sections/memorySection.ts';
import type { MemorySource } from '../../config/sections/memorySources.ts';
import { settlesWithin } from '../../host/settlesWithin.ts';
import type { MemoryAnswer, MemoryHit, MemoryProgress, MemorySearchOptions } from '../memory.ts';
import { type Candidate, rankCandidates, type Ranked } from '../ranking/rankCandidates.ts';
import type { StoredFile, StoredPassage } from '../store/rows.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import type { OpenEngine } from './openEngine.ts';

/** A search begins a full scan where nobody tells of changes and the last one is older, in milliseconds. */
const staleMs = 10 * 60_000;

/** Answers from what is indexed now, and says what is not. @throws PincerError `cancelled`, `glob_invalid` */
export async function answerSearch(
  engine: OpenEngine,
  query: string,
  options: MemorySearchOptions,
  signal: AbortSignal,
): Promise<MemoryAnswer> {
  const { deps, state, embedding, roles, forgotten } = engine;
  const { clock } = deps;
  roles.follow();
  lookIfStale(engine);
  await waitForChanges(engine, options.waitMs ?? 0, signal);
  const began = clock.monotonic();
  const vector = await embedding.embedQuery(query, signal);
  throwIfAborted(signal);
  const hits = searchIndex({
    index: state.index,
    query,
    vector,
    options,
    config: state.settings.query,
    isForgotten: (path) => forgotten.has(path),
    now: clock.now(),
  });
  const indexing = whatIsMissing(engine);
  return {
    hits,
    mode: vector === undefined ? 'text' : 'hybrid',
    vector: embedding.state(),
    ...(indexing === undefined ? {} : { indexing }),
    tookMs: Math.round((clock.monotonic() - began) * 100) / 100,
  };
}

function lookIfStale({ deps, state, work }: OpenEngine): void {
  const working = work();
  if (working === undefined || working.scans.isRunning || state.isWatched) return;
  if (deps.clock.now() - state.lastTry > staleMs) working.scans.schedule();
}

/**
 * Changes of single files are read at once. A full scan is waited for as well, but no longer than that: the first question
 * in a usual workspace is answered whole, and in a huge one soon.
 */
async function waitForChanges(
  { deps, work, knownFilesCheck }: OpenEngine,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const working = work();
  if (ms <= 0 || working === undefined) return;
  const { changes, scans } = working;
  const check = knownFilesCheck.running();
  if (check === undefined && changes.size === 0 && !scans.isRunning) return;
  const settle = async (): Promise<void> => {
    await check;
    await Promise.all([changes.flush(), scans.ended()]);
  };
  const upToDate = settle();
  await raceAbort(settlesWithin(upToDate, ms, deps.clock), signal);
}

/** A repeated scan that has found nothing so far misses nothing that is known. */
function whatIsMissing({ state, progress, work }: OpenEngine): MemoryProgress | undefined {
  const now = progress.current();
  if (now?.phase === 'index') return now;
  const working = work();
  if (working !== undefined && state.lastSync === undefined) return now ?? { phase: 'scan', done: 0 };
  const changed = working?.changes.size ?? 0;
  return changed === 0 ? undefined : { phase: 'index', done: 0, total: changed };
}

/** What each leg proposes at most. Independent of the number of results, so that a short answer is the head of a long one. */
const perLeg = 200;

interface IndexSearch {
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
function searchIndex(search: IndexSearch): readonly MemoryHit[] {
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

  const passages = new Map<number, PassageCandidate>();
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

interface PassageCandidate {
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
  { file, date }: PassageCandidate,
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

interface DatedFile {
  readonly label: string;
  readonly source: MemorySource;
  /** What its front matter calls `date`. */
  readonly frontMatterDate: string | undefined;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

interface FileDate {
  /** ISO day: of its name, else its front matter, else of its last change (UTC). May lie ahead. */
  readonly day: string;
  /** True where age counts against it. */
  readonly isDated: boolean;
}

/** `2026-02-15`, `2026_02_15`, `2026.02.15` or `20260215` anywhere in a name. */
const inName = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/gu;
/** `2026/02/15`, `2026/02-15` or `2026-02/15` at the end of a path, with more of a name after it. */
const inPath = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})(?!\d)[^/]*$/u;

/**
 * The day that a file is of. Dated are the notes of a `memory` folder whose name or front matter says a day, and what was said in
 * a session; `MEMORY.md` and documentation keep their full score however old they are (OpenClaw core flow: dated and evergreen files). A
 * day that the calendar does not have is none.
 */
export function dateOfFile(file: DatedFile): FileDate {
  const changed = dayOf(file.modified);
  if (file.source === 'sessions') return { day: changed, isDated: true };
  const said = dayOfLabel(file.label) ?? dayOfText(file.frontMatterDate ?? '');
  const isMemory = /(?:^|\/)memory\//iu.test(file.label);
  return said === undefined ? { day: changed, isDated: false } : { day: said, isDated: isMemory };
}

/** The ISO day (UTC) of a time; that of the epoch for what is no time. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return new Date(Number.isNaN(date.getTime()) ? 0 : ms).toISOString().slice(0, 10);
}

function dayOfLabel(label: string): string | undefined {
  const name = label.slice(label.lastIndexOf('/') + 1);
  for (const [, year, , month, day] of name.matchAll(inName)) {
    const named = isoDay(year, month, day);
    if (named !== undefined) return named;
  }
  const [, year, month, day] = inPath.exec(label) ?? [];
  return isoDay(year, month, day);
}

function dayOfText(text: string): string | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})(?!\d)/u.exec(text) ?? [];
  return isoDay(year, month, day);
}

/** Undefined for what is no day of the calendar, or hardly one of a note. */
function isoDay(year = '', month = '', day = ''): string | undefined {
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  if (Number.isNaN(time) || dayOf(time) !== iso) return undefined;
  return Number(year) >= 1900 && Number(year) < 2200 ? iso : undefined;
}
