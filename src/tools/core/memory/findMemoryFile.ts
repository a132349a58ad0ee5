// Threat: `memory_get` becomes a way to read any file: by an absolute path, by `..`, by a link that lies in the memory and leads
// out of it. So what is named must be a note by its place, or a file that the index holds, and is decided on again where it
// really lies; outside of the workspace only below what the user's own config adds, and never through a link there.
import { PincerError } from '../../../base/errors.ts';
import type { MemoryFile } from '../../../memory/memory.ts';
import { decidePath } from '../../paths/decidePath.ts';
import { resolveWorkspacePath } from '../../paths/resolveWorkspacePath.ts';
import { flavourOf, segmentsBelow } from '../../paths/workspaceLayout.ts';
import { requirePath } from '../requirePath.ts';
import type { MemoryToolDeps } from './memoryToolDeps.ts';

/** Where the text comes from that a model asked for. */
export type MemoryPlace =
  /** `root` is the folder below which no name may be a link. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly root: string;
      readonly label: string;
      readonly isOutside: boolean;
    }
  | { readonly kind: 'session'; readonly label: string }
  /** It would be a note, and is not there. */
  | { readonly kind: 'missing'; readonly label: string };

const sessionLabel = /^sessions\/[^/\\]+\.jsonl$/u;

/**
 * What `memory_get` may read by this name: notes by their place, and whatever the index holds.
 * @throws PincerError `path_*`: written for the model
 */
export async function findMemoryFile(deps: MemoryToolDeps, input: string): Promise<MemoryPlace> {
  if (sessionLabel.test(input)) return { kind: 'session', label: input };
  const layout = deps.layout();
  const verdict = decidePath(layout, input, 'memory_get');
  if (verdict.kind !== 'block') {
    const found = await resolveWorkspacePath({ fs: deps.fs, layout }, input, 'memory_get');
    if (found.kind === 'block' && found.code === 'path_not_found')
      return { kind: 'missing', label: verdict.label };
    const note = await requirePath(deps, input, 'memory_get');
    const known = await deps.memory.find(note.path);
    if (known?.state === 'forgotten') throw forgotten(known);
    return fileAt(note);
  }
  // Every other fault is one of the text itself: nothing that the index knows may excuse it.
  if (!['path_not_memory', 'path_outside', 'no_workspace'].includes(verdict.code))
    throw new PincerError(verdict.code, verdict.reason, { hint: verdict.hint });
  const held = await deps.memory.find(input);
  const notHeld = (): PincerError => new PincerError(verdict.code, verdict.reason, { hint: verdict.hint });
  if (held === undefined) throw notHeld();
  if (held.state === 'forgotten') throw forgotten(held);
  if (held.source === 'sessions') return { kind: 'session', label: held.label };
  const inside = decidePath(layout, held.path, 'read');
  if (inside.kind === 'block') return outsideFile(deps, held) ?? refuse(notHeld());
  const found = await requirePath(deps, held.path, 'read');
  // A link to another file counts as that file.
  if (found.path !== held.path && (await deps.memory.find(found.path)) === undefined) throw notHeld();
  return fileAt(found);
}

function fileAt({ path, root, label }: { path: string; root: string; label: string }): MemoryPlace {
  return { kind: 'file', path, root, label, isOutside: false };
}

function outsideFile(deps: MemoryToolDeps, { path, label }: MemoryFile): MemoryPlace | undefined {
  const { platform } = deps.layout();
  const root = deps.extraPaths().find((extra) => segmentsBelow(platform, extra, path) !== undefined);
  if (root === undefined) return undefined;
  const isFile = segmentsBelow(platform, root, path)?.length === 0;
  return {
    kind: 'file',
    path,
    root: isFile ? flavourOf(platform).dirname(path) : root,
    label,
    isOutside: true,
  };
}

function refuse(error: PincerError): never {
  throw error;
}

function forgotten({ label }: MemoryFile): PincerError {
  return new PincerError('path_forgotten', `${label} was taken out of the memory by the user.`, {
    hint: 'Ask the user before you look at it another way.',
  });
}
