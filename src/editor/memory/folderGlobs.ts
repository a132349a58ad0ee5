/** Values of one setting by where they are written, as VS Code's `inspect` gives them. */
interface WrittenIn<T> {
  readonly globalValue?: T | undefined;
  readonly workspaceValue?: T | undefined;
  readonly workspaceFolderValue?: T | undefined;
}

export interface FolderGlobs {
  /** Absent where no setting says so: then the config counts. */
  readonly include?: readonly string[];
  readonly exclude: readonly string[];
}

// Threat: the settings of a cloned repository. They name globs below its own folder and nothing else, what they exclude adds
// to what the user excludes, and VS Code itself withholds `include` in a folder that is not trusted (package.json).
/**
 * What the settings say about one folder. `include` is the narrowest place that names any; exclusions of all places hold, since
 * VS Code itself would let a narrower list hide a wider one. Pure.
 */
export function planFolderGlobs(settings: {
  readonly include: WrittenIn<unknown>;
  readonly exclude: WrittenIn<unknown>;
  /** Of VS Code's own `files.exclude`, as it holds for the folder. */
  readonly filesExclude: unknown;
}): FolderGlobs {
  const include = [
    settings.include.workspaceFolderValue,
    settings.include.workspaceValue,
    settings.include.globalValue,
  ]
    .map(toGlobs)
    .find((globs) => globs.length > 0);
  const { globalValue, workspaceValue, workspaceFolderValue } = settings.exclude;
  const exclude = [
    ...excludedFiles(settings.filesExclude),
    ...[globalValue, workspaceValue, workspaceFolderValue].flatMap(toGlobs),
  ];
  return { ...(include === undefined ? {} : { include }), exclude: [...new Set(exclude)] };
}

/** What people type by hand may be anything. */
export function toGlobs(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
    : [];
}

/** Globs that are switched on; those that depend on a sibling (`{ "when": … }`) hide what was made from another file. */
export function excludedFiles(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([glob, isOn]) => (isOn === true && glob.trim() !== '' ? [glob] : []));
}
