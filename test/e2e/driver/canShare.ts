import type { WorkbenchOptions } from './openWorkbench.ts';
import type { FolderContent } from './writeFiles.ts';

/**
 * Whether a window that was opened for one test will do for the next: both want a trusted folder, the one leaves nothing behind, and
 * the other wants no fresh one. Pure.
 */
export function canShare(before: WorkbenchOptions, next: WorkbenchOptions): boolean {
  const isWanted = before.leaves === undefined && next.fresh === undefined;
  return isWanted && isOrdinary(before) && isOrdinary(next);
}

function isOrdinary({ workspace, trust }: WorkbenchOptions): boolean {
  return trust === 'trusted' && isOneFolder(workspace);
}

/** Whether a window opens several folders. Pure. */
export function isOfSeveral(
  workspace: WorkbenchOptions['workspace'],
): workspace is Extract<WorkbenchOptions['workspace'], { readonly folders: unknown }> {
  return workspace !== 'none' && 'folders' in workspace;
}

/** Whether a window opens exactly one folder. Pure. */
export function isOneFolder(workspace: WorkbenchOptions['workspace']): workspace is FolderContent {
  return workspace !== 'none' && !isOfSeveral(workspace);
}

/** Whether a workspace has what Pincer reads when it starts: plugins, config, hooks lie in folders with a dot. Pure. */
export function hasSetUp({ workspace }: WorkbenchOptions): boolean {
  const files = isOneFolder(workspace) ? workspace.files : undefined;
  return Object.keys(files ?? {}).some((path) => path.startsWith('.'));
}
