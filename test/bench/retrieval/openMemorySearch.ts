import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot.ts';
import { createNodeWorkers } from '../../../src/host/node/nodeWorkers.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createMemory } from '../../../src/memory/worker/createMemory.ts';
import { memorySettingsFor } from '../../builders/memorySettingsFor.ts';
import type { RetrievalSearch } from './retrievalSearch.ts';
import type { RetrievalSet } from './retrievalSet.ts';

/** As many passages as the config can ask for: several may be of one document. */
const maxResults = 50;

/** Files in one folder; more are slow to list on some disks. */
const perFolder = 1_000;

/**
 * The memory as the extension runs it, in its thread and without embeddings, over the documents as markdown files in a temporary
 * folder.
 */
export async function openMemorySearch({ docs }: Pick<RetrievalSet, 'docs'>): Promise<RetrievalSearch> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'pincer-retrieval-')));
  const root = join(base, 'documents');
  const idOf = new Map<string, string>();
  const memory = createMemory({
    workers: createNodeWorkers(),
    clock: systemClock,
    log: {
      write(level, message) {
        if (level === 'error') console.error(message);
      },
    },
    workerFile: join(projectRoot, 'src', 'runtime', 'memoryWorker.ts'),
    place: {
      folder: join(base, 'index'),
      wasmFile: join(projectRoot, 'node_modules', 'sql.js', 'dist', 'sql-wasm.wasm'),
    },
    isEnabled: () => true,
    settings: () => memorySettingsFor(root, join(base, 'sessions')),
  });
  const close = async (): Promise<void> => {
    await memory.close();
    await rm(base, { recursive: true, force: true });
  };
  try {
    await mkdir(root);
    for (const [index, doc] of docs.entries()) {
      const path = join(root, ...pathOf(doc.id, index).split('/'));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, isMarkdown(doc.id) ? doc.text : `# ${oneLine(doc.title)}\n\n${doc.text}\n`);
      idOf.set(path, doc.id);
    }
    await memory.sync();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    name: 'memory',
    async search(query) {
      const { hits } = await memory.search(query, { maxResults });
      return [...new Set(hits.map(({ path }) => idOf.get(path) ?? ''))];
    },
    close,
  };
}

/** A file that is called so already keeps its name, which is part of what a search goes by; other names say nothing. */
function pathOf(id: string, index: number): string {
  if (isMarkdown(id)) return posix.join('/', id).slice(1);
  return `x${Math.floor(index / perFolder)}/x${index}x.md`;
}

function isMarkdown(id: string): boolean {
  return id.endsWith('.md');
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
