import type { FileSystem } from '../../../host/ports.ts';
import type { FileSettings } from '../memoryFiles.ts';

/** What finding files depends on. */
export interface FindContext {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  readonly settings: FileSettings;
  /** Absolute paths of folders that are never entered, such as those that hold Pincer's own state. */
  readonly stateFolders: readonly string[];
}
