import { lazily } from '../../base/lazily.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { MemoryFile, MemoryStatus } from '../../memory/memory.ts';

/** What the Memory view shows at one moment. */
export interface MemorySnapshot {
  readonly status: MemoryStatus;
  readonly files: readonly MemoryFile[];
}

/** A row of the Memory view. */
export type MemoryRow =
  /** How much is indexed, and whether that is all. Its texts come from the newest status, so that it is redrawn alone. */
  | { readonly kind: 'state' }
  /** Whether meanings are compared. */
  | { readonly kind: 'vector' }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic }
  | FolderRow
  | GroupRow
  | FileRow;

export interface FolderRow {
  readonly kind: 'folder';
  /** Path of labels, `docs/guides`; the row's identity. */
  readonly key: string;
  /** What stands in the row: a chain of folders that hold nothing else is one row, `docs/guides`. */
  readonly label: string;
  readonly files: number;
  readonly passages: number;
  readonly isOpen: boolean;
  readonly children: readonly (FolderRow | FileRow)[];
}

export interface GroupRow {
  readonly kind: 'group';
  readonly group: 'sessions' | 'left-out' | 'forgotten';
  readonly children: readonly FileRow[];
}

export interface FileRow {
  readonly kind: 'file';
  /** Absolute; what the commands of the row are about. */
  readonly path: string;
  /** The file's name, or the whole label where no folder stands above it. */
  readonly name: string;
  readonly file: MemoryFile;
}

/** With this many files at most, the folders are open from the beginning. */
const fewFiles = 25;

const byName = lazily(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }));

/**
 * State and problems, folders with their files, then what was said in sessions, what is left out and what was forgotten. Empty
 * where there is neither a file nor work nor a problem: then the view's own text stands there. Pure.
 */
export function planMemoryRows({ status, files }: MemorySnapshot): readonly MemoryRow[] {
  const { problems } = status;
  const isEmpty = files.length === 0 && problems.length === 0 && status.progress === undefined;
  if (!status.isEnabled || isEmpty) return [];
  const held = files.filter(({ state }) => state === 'indexed' || state === 'stale');
  const notes = held.filter(({ source }) => source === 'memory');
  return [
    { kind: 'state' },
    { kind: 'vector' },
    ...problems.map((diagnostic): MemoryRow => ({ kind: 'problem', diagnostic })),
    ...folderRows(notes),
    ...groupRow(
      'sessions',
      held.filter(({ source }) => source === 'sessions'),
    ),
    ...groupRow(
      'left-out',
      files.filter(({ state }) => state === 'left-out'),
    ),
    ...groupRow(
      'forgotten',
      files.filter(({ state }) => state === 'forgotten'),
    ),
  ];
}

export function childRows(row: MemoryRow): readonly MemoryRow[] {
  return row.kind === 'folder' || row.kind === 'group' ? row.children : [];
}

/** Changes exactly when rows would look different, so that nothing is redrawn for nothing. */
export function digestOf({ status, files }: MemorySnapshot): string {
  const rows = files.map(
    ({ path, state, passages, bytes, modified, reason }) =>
      `${path}\0${state}\0${String(passages)}\0${String(bytes)}\0${String(modified)}\0${reason ?? ''}`,
  );
  return [JSON.stringify([status.isEnabled, status.problems]), ...rows].join('\n');
}

/** What the row's menus go by: `file.indexed`, `file.forgotten`; `note` where a glob of the folder can exclude it. */
export function fileContext({ state, source }: MemoryFile): string {
  return `file.${state}.${source === 'memory' ? 'note' : 'session'}`;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: FileRow[];
}

function folderRows(files: readonly MemoryFile[]): readonly (FolderRow | FileRow)[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.label.split('/');
    const name = names.pop() ?? file.label;
    const folder = names.reduce(openFolder, root);
    folder.files.push({ kind: 'file', path: file.path, name, file });
  }
  return childrenOf(root, '', files.length <= fewFiles);
}

function openFolder(parent: Folder, name: string): Folder {
  const known = parent.folders.get(name) ?? { folders: new Map<string, Folder>(), files: [] };
  parent.folders.set(name, known);
  return known;
}

/** Folders first, then files, each by name as people count. */
function childrenOf(folder: Folder, above: string, isOpen: boolean): readonly (FolderRow | FileRow)[] {
  const folders = [...folder.folders].map(([name, each]) => folderRow(name, each, above, isOpen));
  return [
    ...folders.sort((a, b) => byName().compare(a.label, b.label)),
    ...folder.files.sort((a, b) => byName().compare(a.name, b.name)),
  ];
}

function folderRow(name: string, folder: Folder, above: string, isOpen: boolean): FolderRow {
  const [only, ...others] = folder.folders;
  if (only !== undefined && others.length === 0 && folder.files.length === 0)
    return folderRow(`${name}/${only[0]}`, only[1], above, isOpen);
  const key = above === '' ? name : `${above}/${name}`;
  const children = childrenOf(folder, key, isOpen);
  return {
    kind: 'folder',
    key,
    label: name,
    files: sum(children, (each) => (each.kind === 'file' ? 1 : each.files)),
    passages: sum(children, (each) => (each.kind === 'file' ? each.file.passages : each.passages)),
    isOpen,
    children,
  };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function groupRow(group: GroupRow['group'], files: readonly MemoryFile[]): readonly GroupRow[] {
  if (files.length === 0) return [];
  const children = files.map((file): FileRow => ({ kind: 'file', path: file.path, name: file.label, file }));
  // A session's name says nothing: the newest stands first.
  const order = (a: FileRow, b: FileRow): number =>
    group === 'sessions' ? b.file.modified - a.file.modified : byName().compare(a.name, b.name);
  return [{ kind: 'group', group, children: children.sort(order) }];
}
