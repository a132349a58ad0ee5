import { findPathFault, type PathFault } from './findPathFault.ts';
import { aliasOf, protectionOf } from './protectedPaths.ts';
import {
  flavourOf,
  labelOf,
  placeOf,
  rootByName,
  segmentsBelow,
  type WorkspaceLayout,
} from './workspaceLayout.ts';

/**
 * What a tool wants of a path. `list` needs a folder; `search` takes a folder or a file whose text it reads; `memory_get`
 * reads only what belongs to the memory.
 */
export type PathOp = 'read' | 'write' | 'list' | 'search' | 'memory_get';

/** A path that lies in the workspace. */
export interface WorkspacePath {
  /** Absolute and normalised. */
  readonly path: string;
  /** The workspace folder it lies in, as the user opened it. */
  readonly root: string;
  /** Names below the root. */
  readonly segments: readonly string[];
  /** As people and models read it. */
  readonly label: string;
}

/** `ask`: in the workspace, but only with a person's yes; `protection` says why. Reasons and hints are written for the model. */
export type PathVerdict =
  | ({ readonly kind: 'allow' } & WorkspacePath)
  | ({ readonly kind: 'ask'; readonly protection: string } & WorkspacePath)
  | ({ readonly kind: 'block' } & PathFault);

/** The lexical decision: what the text of a path says, before the disk is looked at. Pure; Windows rules run anywhere. */
export function decidePath(layout: WorkspaceLayout, input: string, op: PathOp): PathVerdict {
  const path = absolutePath(layout, input);
  if (typeof path !== 'string') return { kind: 'block', ...path };
  if (/[\\/]$/u.test(input) && needsFile(op)) return blocked(folderFault(input));
  return judge(layout, path, op);
}

/** The same decision for an absolute path that needs no reading of its text, such as where a link leads. Pure. */
export function judge(layout: WorkspaceLayout, path: string, op: PathOp): PathVerdict {
  const place = placeOf(layout, path);
  if (place === undefined) return blocked(outsideFault(layout, path));
  const label = labelOf(layout, place);
  if (place.segments.length === 0 && needsFile(op)) return blocked(folderFault(label));
  if (op === 'memory_get' && !isMemoryPath(layout.platform, place.segments))
    return blocked(memoryFault(label));
  // Below the root as the user opened it, however the root itself was spelled.
  const found = { path: flavourOf(layout.platform).join(place.root, ...place.segments), ...place, label };
  const kind = op === 'write' ? 'write' : 'read';
  const protection = protectionOf(place.segments, kind);
  if (protection !== undefined) return { kind: 'ask', protection, ...found };
  if (protectionOf(place.segments.map(aliasOf), kind) === undefined) return { kind: 'allow', ...found };
  return blocked({
    code: 'path_alias',
    reason: `${label} is another spelling of a protected name.`,
    hint: 'Write the name itself.',
  });
}

/** The folders that a `..` in the input steps out of; a link among them would lead `..` somewhere else. Pure. */
export function dotDotFolders(layout: WorkspaceLayout, input: string): readonly string[] {
  const rules = flavourOf(layout.platform);
  const { root, rest } = rules.isAbsolute(input) ? { root: '', rest: input } : baseOf(layout, input);
  const names = namesIn(layout, rest);
  return names.flatMap((name, at) => {
    const before = names.slice(0, at).join('/');
    return name === '..' && before !== '' ? [rules.join(root, before)] : [];
  });
}

function absolutePath(layout: WorkspaceLayout, input: string): string | PathFault {
  const found = findPathFault(input, layout.platform);
  if (found !== undefined) return found;
  if (layout.roots.length === 0) {
    return { code: 'no_workspace', reason: 'No folder is open.', hint: 'Ask the user to open a folder.' };
  }
  const rules = flavourOf(layout.platform);
  if (
    layout.platform === 'win32' &&
    /^[\\/]{2}/u.test(input) &&
    placeOf(layout, rules.normalize(input)) === undefined
  ) {
    return {
      code: 'path_unc',
      reason: 'Network paths are not allowed.',
      hint: 'Give a path below the workspace, such as src/app.ts.',
    };
  }
  const { root, rest } = baseOf(layout, input);
  return rules.isAbsolute(input) ? rules.normalize(input) : rules.join(root, rest);
}

/** With several folders a relative path may begin with a folder's name; else it is below the first folder. */
function baseOf(layout: WorkspaceLayout, input: string): { readonly root: string; readonly rest: string } {
  const first = layout.roots[0] ?? '';
  if (layout.roots.length < 2) return { root: first, rest: input };
  const [name = '', ...rest] = namesIn(layout, input);
  const named = rootByName(layout, name);
  return named === undefined ? { root: first, rest: input } : { root: named, rest: rest.join('/') };
}

function namesIn(layout: WorkspaceLayout, path: string): string[] {
  return path.split(layout.platform === 'win32' ? /[\\/]/u : '/');
}

function needsFile(op: PathOp): boolean {
  return op !== 'list' && op !== 'search';
}

function memoryFault(label: string): PathFault {
  return {
    code: 'path_not_memory',
    reason: `${label} is not part of the memory.`,
    hint: 'Give MEMORY.md or a markdown file below memory/; anything else is read with read.',
  };
}

function folderFault(label: string): PathFault {
  return {
    code: 'path_is_folder',
    reason: `${label} is a folder.`,
    hint: 'Name a file in it, or list it with ls.',
  };
}

function outsideFault(layout: WorkspaceLayout, path: string): PathFault {
  const roots = layout.roots.join(', ');
  const above = layout.roots.some((root) => segmentsBelow(layout.platform, path, root) !== undefined);
  return {
    code: 'path_outside',
    reason: `${path} is ${above ? 'above' : 'outside'} the workspace.`,
    hint: `Only files in ${roots} can be used. Give a path relative to it.`,
  };
}

function blocked(found: PathFault): PathVerdict {
  return { kind: 'block', ...found };
}

/**
 * Whether a place below a workspace folder belongs to the memory: `MEMORY.md`, `memory.md`, or markdown below `memory/`.
 * Where the platform's volumes ignore case, so does this. Pure.
 */
function isMemoryPath(platform: NodeJS.Platform, segments: readonly string[]): boolean {
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  const names = ignoresCase ? segments.map((name) => name.toLowerCase()) : segments;
  const [first = ''] = names;
  if (names.length === 1) return first === 'MEMORY.md' || first === 'memory.md';
  return first === 'memory' && (names.at(-1) ?? '').endsWith('.md');
}
