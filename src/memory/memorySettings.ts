import type { EmbeddingConfig, MemoryQueryConfig } from '../config/sections/memorySection.ts';
import type { MemorySource } from '../config/sections/memorySources.ts';

/** A folder whose markdown is indexed. */
export interface MemoryRoot {
  /** Absolute. */
  readonly path: string;
  /** What people call it; stands before labels where there are several roots. */
  readonly name: string;
  /** In place of the settings' `include`, where the folder says so itself. */
  readonly include?: readonly string[];
  /** Globs that hold for this folder alone, such as VS Code's `files.exclude`. */
  readonly exclude: readonly string[];
}

/** All that the index depends on; plain data, so that it can be posted to the thread. */
export interface MemorySettings {
  readonly roots: readonly MemoryRoot[];
  /** Globs relative to each root; what has a dot folder in its path is never taken, but for `.pincer`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Absolute paths of further files and folders, from the user's own config. */
  readonly extraPaths: readonly string[];
  readonly sources: readonly MemorySource[];
  /** Where transcripts lie: one `.jsonl` for each session. */
  readonly sessionsFolder: string;
  readonly chunking: { readonly tokens: number; readonly overlap: number };
  readonly query: MemoryQueryConfig;
  readonly embeddings: EmbeddingConfig;
  /** What the provider is called that `embeddings` names, where a plugin has registered it. */
  readonly pluginEmbedder?: PluginEmbedder;
  /** False in a window that is not trusted: no text of it goes to any service, and no model is loaded for it. */
  readonly isTrusted: boolean;
  /** Keys by what the config calls them, as far as they can be had. Never stored, never logged. */
  readonly keys: Readonly<Partial<Record<'openai' | 'gemini' | 'voyage' | 'remote', string>>>;
}

/** An embedding provider of a plugin; the window asks it. */
export interface PluginEmbedder {
  readonly id: string;
  readonly pluginId: string;
  readonly label: string;
  readonly model: string;
}

/** What one process of the memory needs besides; fixed for its life. */
export interface MemoryPlace {
  /** Folder for the index, outside of any workspace. */
  readonly folder: string;
  /** Absolute path of sql.js's `sql-wasm.wasm`. */
  readonly wasmFile: string;
}
