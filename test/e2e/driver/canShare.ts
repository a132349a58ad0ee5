import type { WorkbenchOptions } from './openWorkbench.ts';

/**
 * Whether a window that was opened for one test will do for the next: both want a trusted folder, with the same settings of VS Code,
 * and neither wants one of its own. Pure.
 */
export function canShare(before: WorkbenchOptions, next: WorkbenchOptions): boolean {
  const settingsOf = ({ settings }: WorkbenchOptions): string => JSON.stringify(settings ?? {});
  return isOrdinary(before) && isOrdinary(next) && settingsOf(before) === settingsOf(next);
}

function isOrdinary({ workspace, trust, ownWindow }: WorkbenchOptions): boolean {
  const isOneFolder = workspace !== 'none' && !('folders' in workspace);
  return trust === 'trusted' && ownWindow === undefined && isOneFolder;
}

/** Whether a workspace has what Pincer reads when it starts: plugins, config, hooks lie in folders with a dot. Pure. */
export function hasSetUp({ workspace }: WorkbenchOptions): boolean {
  const files = workspace !== 'none' && !('folders' in workspace) ? workspace.files : undefined;
  return Object.keys(files ?? {}).some((path) => path.startsWith('.'));
}
