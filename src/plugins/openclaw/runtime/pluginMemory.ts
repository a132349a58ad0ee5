import type { MemoryConfig } from '../../../config/sections/memorySection.ts';
import type { MemoryTools } from '../../../tools/core/memory/createMemoryTools.ts';
import type { WorkspaceLayout } from '../../../tools/paths/workspaceLayout.ts';

/** The host's memory, as plugins reach it. */
export interface PluginMemory {
  readonly tools: MemoryTools;
  /** Read for each call. */
  readonly layout: () => WorkspaceLayout;
  /** What may enter a prompt unasked, as the config says now; `enabled` is false in a window that is not trusted. */
  readonly recall: () => MemoryConfig['recall'];
}
