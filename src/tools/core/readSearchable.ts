import { PincerError } from '../../base/errors.ts';
import type { CoreToolDeps } from './coreTool.ts';

export type SkipReason =
  'may hold secrets' | 'too large' | 'no UTF-8 text' | 'stored under a second name' | 'unreadable';

/** Larger files are not searched. */
export const maxSearchedBytes = 2_000_000;

/** The text of a file that a search came across, or why it is left out. `path` is absolute and below `root`; nothing there is an empty text. */
export async function readSearchable(
  deps: CoreToolDeps,
  path: string,
  root: string,
): Promise<{ readonly text: string } | { readonly skipped: SkipReason }> {
  try {
    const stat = await deps.fs.lstat(path);
    // Replaced by a link or removed since the folder was listed.
    if (stat?.kind !== 'file') return { text: '' };
    if (stat.links > 1) return { skipped: 'stored under a second name' };
    if (stat.size > maxSearchedBytes) return { skipped: 'too large' };
    return { text: (await deps.files.readText(path, root)) ?? '' };
  } catch (error) {
    const isOther = error instanceof PincerError && error.code.startsWith('file_');
    return { skipped: isOther ? 'no UTF-8 text' : 'unreadable' };
  }
}
