import { flavourOf, type WorkspaceLayout } from '../../paths/workspaceLayout.ts';
import type { MemoryToolDeps } from './memoryToolDeps.ts';

/**
 * False where these globs of labels are plain names at the top of a folder, and no folder has such a file. Most workspaces have no
 * MEMORY.md: then no thread has to start, and no message has to wait, only to find nothing.
 */
export async function mayHoldAny(
  { fs, layout }: Pick<MemoryToolDeps, 'fs' | 'layout'>,
  globs: readonly string[] | undefined,
): Promise<boolean> {
  const { roots, platform } = layout();
  const names = globs?.map((glob) => plainName(glob, roots)) ?? [undefined];
  const plain = names.filter((name) => name !== undefined);
  if (plain.length < names.length) return true;
  const rules = flavourOf(platform);
  const paths = roots.flatMap((root) => plain.map((name) => rules.join(root, name)));
  const found = await Promise.all(paths.map((path) => fs.lstat(path).catch(() => 'unknown' as const)));
  return found.some((each) => each !== undefined);
}

/** `./MEMORY.md` and, where labels begin with a folder's name, `*` in place of that. */
function plainName(glob: string, { length }: WorkspaceLayout['roots']): string | undefined {
  const rest = length > 1 ? /^\*\/(.+)$/u.exec(glob)?.[1] : /^\.\/(.+)$/u.exec(glob)?.[1];
  return rest === undefined || /[*?[\]{}\\]/u.test(rest) ? undefined : rest;
}
