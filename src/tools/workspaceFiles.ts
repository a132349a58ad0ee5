import type { ToolCall } from '../contracts/tool.ts';

/**
 * How tools reach the text of files. Paths are absolute and already decided on by `resolveWorkspacePath`. The editor's
 * implementation knows unsaved documents; `createDiskFiles` knows the disk alone. Where `root` is given, no name below it may
 * have become a link since.
 */
export interface WorkspaceFiles {
  /**
   * The text as the user has it now, unsaved changes included; undefined where nothing is there. Line ends and a byte
   * order mark stay as they are, so that writing the same text changes nothing.
   * @throws PincerError `file_binary`, `file_not_utf8`, `io_*`
   */
  readText(path: string, root?: string): Promise<string | undefined>;
  /** Files whose text in the editor differs from the disk's. */
  unsavedPaths?(): readonly string[];
  /** @throws PincerError `io_too_large` above `maxBytes`, other `io_*` */
  readBytes(path: string, maxBytes: number, root?: string): Promise<Uint8Array>;
  /**
   * Makes all changes or none, with missing folders; refuses when a file is no longer what `before` says. A file
   * keeps its encoding and permission bits. What it gives back is what the files hold afterwards, in the order of `changes`: an
   * editor may format what it saves.
   * @throws PincerError `edit_stale`, `io_*`; `edit_not_undone` where a change failed and another one could not be taken back
   */
  apply(changes: readonly TextChange[], call: ToolCall): Promise<readonly AppliedChange[]>;
}

/** One file's text before and after; null where there is no file. A path may occur only once in a list of them. */
export interface TextChange {
  readonly path: string;
  /**
   * The workspace folder that the path lies in: no name below it may have become a link. Default: the file's own folder, which
   * has to be there then.
   */
  readonly root?: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Path of the file whose encoding and permission bits a new file takes: a move. */
  readonly like?: string;
}

/** What a file holds once it was changed; null where it is gone. */
export interface AppliedChange {
  readonly path: string;
  readonly text: string | null;
}
