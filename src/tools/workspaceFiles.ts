/**
 * How tools reach the text of files. Paths are absolute and already decided on by `resolveWorkspacePath`. The editor's
 * implementation knows unsaved documents; `createDiskFiles` knows the disk alone.
 */
export interface WorkspaceFiles {
  /**
   * The text as the user has it now, unsaved changes included; undefined where nothing is there. Line ends and a byte
   * order mark stay as they are, so that `write` of the same text changes nothing.
   * @throws PincerError `file_binary`, `file_not_utf8`, `io_*`
   */
  readText(path: string): Promise<string | undefined>;
  /** @throws PincerError `io_too_large` above `maxBytes`, other `io_*` */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Replaces the whole file, or makes it with its missing folders. After a failure the file is as it was. */
  write(path: string, text: string): Promise<void>;
}
