import { throwIfAborted } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import { readChunks, type MarkdownChunk } from './markdown/chunkMarkdown.ts';
import { createTextIndex } from './lexical/createTextIndex.ts';
import { findMarkdownFiles, type MarkdownFile, type SearchRoot } from './files/findMarkdownFiles.ts';

/** A passage of a markdown file. Its text is whatever the file says: untrusted. */
export interface SearchHit extends MarkdownFile, MarkdownChunk {
  /** 0 to 1, comparable within one search only. */
  readonly score: number;
}

export interface MarkdownSearch {
  /**
   * The passages that match best, best first. Looks for new, changed and removed files before it searches, and reads only
   * those. Any text is a valid query.
   *
   * @throws PincerError `cancelled`.
   */
  search(
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly SearchHit[]>;
}

export interface MarkdownSearchOptions {
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** Asked before each search, so that folders may come and go. */
  readonly roots: () => readonly SearchRoot[];
  /** Told of what is left out, once for each file and reason. */
  readonly report?: (diagnostic: Diagnostic) => void;
  /** Default 5,000. */
  readonly maxFiles?: number;
  /** Default 1 MB. */
  readonly maxFileBytes?: number;
}

/** What is known of one file. `version` tells whether it must be read again. */
interface KnownFile {
  readonly version: string;
  readonly passages: readonly Passage[];
}

type Passage = MarkdownFile & MarkdownChunk;

/** Files that are looked at side by side; their reading overlaps, the indexing does not. */
const batchSize = 32;

/** Search over the markdown of the workspace folders, kept in memory only. */
export function createMarkdownSearch(options: MarkdownSearchOptions): MarkdownSearch {
  const { fs, clock, maxFiles = 5_000, maxFileBytes = 1_000_000 } = options;
  const report = reportOnce(options.report ?? (() => undefined));
  const index = createTextIndex<Passage>();
  const known = new Map<string, KnownFile>();
  let lastRefresh = Promise.resolve();

  const forget = (path: string): void => {
    for (const passage of known.get(path)?.passages ?? []) index.remove(passage);
    known.delete(path);
  };

  const refresh = async (signal: AbortSignal): Promise<void> => {
    const breathe = createBreather(clock);
    const files = await findMarkdownFiles({ fs, roots: options.roots(), maxFiles, signal, report });
    const present = new Set(files.map((file) => file.path));
    for (const path of [...known.keys()]) if (!present.has(path)) forget(path);
    for (let at = 0; at < files.length; at += batchSize) {
      throwIfAborted(signal);
      const batch = files.slice(at, at + batchSize);
      const changes = await Promise.all(batch.map((file) => readChange(file, known.get(file.path))));
      for (const change of changes) {
        if (change === undefined) continue;
        forget(change.file.path);
        await take(change, signal, breathe);
      }
    }
  };

  const readChange = async (
    file: MarkdownFile,
    before: KnownFile | undefined,
  ): Promise<Change | undefined> => {
    try {
      const stat = await fs.lstat(file.path);
      if (stat?.kind !== 'file') return { file, version: '', text: '' };
      const version = `${stat.mtimeMs}:${stat.size}:${file.label}`;
      if (before?.version === version) return undefined;
      if (stat.size > maxFileBytes) {
        report(leftOut(file, `it is larger than ${maxFileBytes} bytes`));
        return { file, version, text: '' };
      }
      return { file, version, text: await fs.readText(file.path, maxFileBytes) };
    } catch (error) {
      report(leftOut(file, errorMessage(error)));
      return { file, version: '', text: '' };
    }
  };

  const take = async (
    { file, version, text }: Change,
    signal: AbortSignal,
    breathe: Breather,
  ): Promise<void> => {
    const passages: Passage[] = [];
    // Known from the start, so that a cancel in the middle leaves nothing in the index that nobody would take out.
    known.set(file.path, { version: '', passages });
    for (const chunk of readChunks(text)) {
      await breathe();
      throwIfAborted(signal);
      const passage = { ...file, ...chunk };
      passages.push(passage);
      index.add(passage, { title: file.label, headings: chunk.headings, body: chunk.text });
    }
    known.set(file.path, { version, passages });
  };

  return {
    async search(query, { limit, signal }) {
      throwIfAborted(signal);
      // One after the other: two at once would index the same file twice.
      const before = lastRefresh;
      const mine = before.then(() => refresh(signal));
      lastRefresh = mine.catch(() => undefined);
      await mine;
      return index.search(query, limit).map(({ item, score }) => ({ ...item, score }));
    },
  };
}

interface Change {
  readonly file: MarkdownFile;
  /** Empty where the file must be looked at again next time. */
  readonly version: string;
  readonly text: string;
}

type Breather = () => Promise<void>;

/** Lets other work run once this has kept the thread for 5 ms; the extension host must stay responsive. */
function createBreather(clock: Clock): Breather {
  let since = clock.monotonic();
  return async () => {
    if (clock.monotonic() - since < 5) return;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    since = clock.monotonic();
  };
}

function leftOut(file: MarkdownFile, reason: string): Diagnostic {
  return {
    level: 'warn',
    code: 'search_file_left_out',
    message: `The search leaves out ${file.label}: ${reason}.`,
    source: file.path,
  };
}

function reportOnce(report: (diagnostic: Diagnostic) => void): (diagnostic: Diagnostic) => void {
  const seen = new Set<string>();
  return (diagnostic) => {
    const key = `${diagnostic.code}\n${diagnostic.source ?? ''}\n${diagnostic.message}`;
    if (seen.has(key)) return;
    seen.add(key);
    report(diagnostic);
  };
}
