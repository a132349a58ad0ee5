import { createEmitter, type Emitter } from '../../src/base/event.ts';
import { compileGlob } from '../../src/base/compileGlob.ts';
import type { PincerError } from '../../src/base/errors.ts';
import type {
  Memory,
  MemoryAnswer,
  MemoryFile,
  MemoryHit,
  MemorySearchOptions,
} from '../../src/memory/memory.ts';

export interface TestMemoryOptions {
  /** Every search finds these, as far as its options let it. */
  readonly hits?: readonly MemoryHit[];
  /** Files that the index holds beside those of the hits. */
  readonly files?: readonly MemoryFile[];
  /** What was said, by label. */
  readonly sessions?: Readonly<Record<string, string>>;
  readonly answer?: Partial<MemoryAnswer>;
  /** What every call rejects with. */
  readonly error?: PincerError;
  /** True lets no search ever end, whoever gives up. */
  readonly isCold?: boolean;
}

/** A memory of fixed hits; it notes what it is asked and told. */
export interface TestMemory extends Memory {
  readonly asked: readonly (MemorySearchOptions & { readonly query: string })[];
  readonly told: readonly string[];
}

export function createTestMemory(options: TestMemoryOptions = {}): TestMemory {
  const { hits = [], files = [], sessions = {}, error } = options;
  const asked: (MemorySearchOptions & { readonly query: string })[] = [];
  const told: string[] = [];
  const changes: Emitter<void> = createEmitter();
  const held = [...files, ...hits.map(({ path, label, source }) => testFile({ path, label, source }))];
  const answer = <T>(value: T): Promise<T> =>
    error === undefined ? Promise.resolve(value) : Promise.reject(error);
  return {
    asked,
    told,
    async search(query, wish = {}) {
      asked.push({ query, ...wish });
      if (options.isCold === true) await new Promise(() => undefined);
      const globs = wish.files?.map((glob) => compileGlob(glob));
      const found = hits.filter(
        ({ label, source }) =>
          (wish.sources?.includes(source) ?? true) &&
          (globs?.some((matches) => matches(label.split('/'))) ?? true),
      );
      return await answer<MemoryAnswer>({
        hits: found.slice(0, wish.maxResults ?? 6),
        mode: 'text',
        vector: { state: 'off', reason: 'no provider', embedded: 0, total: found.length },
        tookMs: 1,
        ...options.answer,
      });
    },
    find: (file) => answer(held.find(({ path, label }) => path === file || label === file)),
    files: () => answer(held),
    readSession: (label) => answer(sessions[label]),
    status: () => Promise.reject(new Error('not asked in tests')),
    sync: () => Promise.reject(new Error('not asked in tests')),
    changed: (paths) => void told.push(...paths),
    cancel: () => undefined,
    changedBroadly: () => undefined,
    turnBegins: () => undefined,
    forget: () => answer(undefined),
    remember: () => answer(undefined),
    progress: () => undefined,
    onDidChange: changes.event,
    close: () => Promise.resolve(),
    dispose: () => changes.dispose(),
  };
}

export function testHit(hit: Partial<MemoryHit> & Pick<MemoryHit, 'path' | 'label' | 'text'>): MemoryHit {
  return {
    source: 'memory',
    startLine: 1,
    endLine: hit.text.split('\n').length,
    headings: [],
    score: 0.5,
    date: '2026-01-31',
    why: { weighted: 0.5, decay: 1, similarity: 0 },
    ...hit,
  };
}

export function testFile(file: Partial<MemoryFile> & Pick<MemoryFile, 'path' | 'label'>): MemoryFile {
  return { source: 'memory', passages: 1, bytes: 1, modified: 0, state: 'indexed', ...file };
}
