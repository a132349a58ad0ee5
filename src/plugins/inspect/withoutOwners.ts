import type { FileStat, FileSystem } from '../../host/ports.ts';

/**
 * A file system that shows no permission bits and owners. Threat: plugins of the user's own folders are refused where others
 * may write to them, since they load unasked. A plugin that is inspected loads because the user has named it now, from a copy;
 * and shared or mounted folders, where plugins are tried, often are world-writable.
 */
export function withoutOwners(fs: FileSystem): FileSystem {
  const hide = (stat: FileStat | undefined): FileStat | undefined =>
    stat === undefined ? undefined : { ...stat, mode: undefined, uid: undefined };
  return {
    ...fs,
    stat: async (path) => hide(await fs.stat(path)),
    lstat: async (path) => hide(await fs.lstat(path)),
  };
}
