/** Every VS Code setting of Pincer, without its `pincer.` prefix, and its default; a test compares it with `package.json`. */
export const settingDefaults = {
  'approvals.notifications': true,
  'chat.openOnFirstStart': true,
  'review.openDiff': true,
  'mcp.offerServer': false,
  'memory.include': [],
  'memory.exclude': [],
} as const;

/** Settings that are on or off; the memory's globs are read for each folder (`readFolderGlobs`). */
export type SettingName =
  'approvals.notifications' | 'chat.openOnFirstStart' | 'review.openDiff' | 'mcp.offerServer';
