import type { MemoryHit, MemorySearchOptions } from '../../../memory/memory.ts';
import type { AgentTool } from '../../../contracts/tool.ts';
import { findPassages } from './findPassages.ts';
import { mayHoldAny } from './mayHoldAny.ts';
import { createMemoryAppendTool } from './memoryAppend.ts';
import { createMemoryGetTool } from './memoryGetTool.ts';
import type { MemoryToolDeps } from './memoryToolDeps.ts';
import { createMemorySearchTool } from './memorySearchTool.ts';

/** What the memory offers to models. No model has these by itself: the plugin in the memory slot registers them. */
export interface MemoryTools {
  readonly search: AgentTool;
  readonly get: AgentTool;
  readonly append: AgentTool;
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
    async find(query, options, signal) {
      if (!(await mayHoldAny(deps, options.files))) return [];
      return (await findPassages(deps, query, { waitMs, ...options }, signal)).hits;
    },
  };
}
