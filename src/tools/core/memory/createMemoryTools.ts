import type { MemoryHit, MemorySearchOptions } from '../../../memory/memory.ts';
import type { AgentTool } from '../../../contracts/tool.ts';
import { findPassages } from './findPassages.ts';
import { createMemoryAppendTool } from './memoryAppend.ts';
import { createMemoryFlushTool } from './memoryFlushTool.ts';
import { createMemoryGetTool } from './memoryGetTool.ts';
import { flavourOf, type WorkspaceLayout } from '../../paths/workspaceLayout.ts';
import type { MemoryToolDeps } from './memoryToolDeps.ts';
import { createMemorySearchTool } from './memorySearchTool.ts';

/** What the memory offers to models. No model has these by itself: the plugin in the memory slot registers them. */
export interface MemoryTools {
  readonly search: AgentTool;
  readonly get: AgentTool;
  readonly append: AgentTool;
  /** What the model has before a compaction: it adds to this file alone, relative to the workspace. */
  flush(relativePath: string): AgentTool;
  /** The same search for programs, best first. @throws PincerError `memory_*`, `cancelled` */
  find(query: string, options: MemorySearchOptions, signal: AbortSignal): Promise<readonly MemoryHit[]>;
}

/** How long a program's search waits for files that have just changed, in milliseconds. */
const waitMs = 500;

export function createMemoryTools(deps: MemoryToolDeps): MemoryTools {
  return {
    search: createMemorySearchTool(deps),
    get: createMemoryGetTool(deps),
    append: createMemoryAppendTool(deps),
    flush: (relativePath) => createMemoryFlushTool(deps, relativePath),
    async find(query, options, signal) {
      if (!(await mayHoldAny(deps, options.files))) return [];
      return (await findPassages(deps, query, { waitMs, ...options }, signal)).hits;
    },
  };
}

/**
 * False where these globs of labels are plain names at the top of a folder, and no folder has such a file. Most workspaces have no
 * MEMORY.md: then no thread has to start, and no message has to wait, only to find nothing.
 */
async function mayHoldAny(
  { fs, layout }: Pick<MemoryToolDeps, 'fs' | 'layout'>,
  globs: readonly string[] | undefined,
): Promise<boolean> {
  const { roots, platform } = layout();
  const names = globs?.map((glob) => plainName(glob, roots)) ?? [undefined];
  const plain = names.filter((name) => name !== undefined);
  if (plain.length < names.length) return true;
  const rules = flavourOf(platform);
  const paths = roots.flatMap((root) => plain.map((name) => rules.join(root, name)));
  const found = await Promise.all(paths.map((path) => fs.lstat(path).catch(() => 'unknown' as const)));
  return found.some((each) => each !== undefined);
}

/** `./MEMORY.md` and, where labels begin with a folder's name, `*` in place of that. */
function plainName(glob: string, { length }: WorkspaceLayout['roots']): string | undefined {
  const rest = length > 1 ? /^\*\/(.+)$/u.exec(glob)?.[1] : /^\.\/(.+)$/u.exec(glob)?.[1];
  return rest === undefined || /[*?[\]{}\\]/u.test(rest) ? undefined : rest;
}
