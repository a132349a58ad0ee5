// The launchers that are known, one row each: how their command lines are read, and what fetches a package in their place so that what runs
// can be compared. None but npm's keeps what it fetched in a place that its command line names, for as long as it is agreed to: pnpm and bun
// look for a newer one after a day, in a folder that settings of the folder they run in decide about; Yarn fetches at each start. So their own installers put it into a
// folder of Pincer's, once, and it is started there.

/** A package manager that puts packages into the folder it runs in, with the integrity of each archive in a file. */
export interface Installer {
  /** The program. */
  readonly program: string;
  /** Its arguments in front of what it is to fetch. */
  readonly args: readonly string[];
  /** Files that make the folder a project of its own, which no setting of a folder above reaches; by path. */
  readonly project: (names: readonly string[]) => Readonly<Record<string, string>>;
  /** Where it writes down what it has fetched. */
  readonly lock: string;
  /** Where in that file the integrity of a package stands. Name and version are ready for a regular expression. */
  readonly integrity: (name: string, version: string) => RegExp;
  /** Words in whose place the launcher runs a program of the machine, or of the folder, that has that name. */
  readonly takesPrograms?: true;
  /** Words that the launcher takes for another package. */
  readonly aliases?: readonly string[];
  /** It runs programs that want `node` itself where there is none. */
  readonly isNode?: true;
}

export interface Launcher {
  /** The words that make it a launcher, where it is more than that. */
  readonly verbs?: readonly string[];
  /** Options that name a package; with them the first word is a program of it. */
  readonly from: readonly string[];
  /** Options that name a package which is fetched beside it. */
  readonly also?: readonly string[];
  /** Further options that take a word. */
  readonly takes: readonly string[];
  /** Options that change nothing of what is run. */
  readonly harmless: readonly string[];
  readonly separator: '@' | '==';
  /** It takes options behind the package for its own, up to `--`. */
  readonly readsOn?: true;
  /** npm starts it, which writes down what it has installed. */
  readonly byNpm?: true;
  /** What fetches a package in its place. */
  readonly installer?: Installer;
  /** Why what is run can't be compared, or is not the package that is named, as the end of a sentence. */
  readonly unclear?: string;
}

const pnpm: Installer = {
  program: 'pnpm',
  args: ['add', '--ignore-workspace-root-check'],
  // The package that is named may build itself, as `pnpm dlx` lets it: by the name of that setting in each version.
  project: (names) => ({
    'package.json': JSON.stringify({ private: true, pnpm: { onlyBuiltDependencies: names } }),
    'pnpm-workspace.yaml': `${JSON.stringify({
      packages: ['.'],
      onlyBuiltDependencies: names,
      allowBuilds: Object.fromEntries(names.map((name) => [name, true])),
      // Everything lies below the folder, where it is compared.
      enableGlobalVirtualStore: false,
    })}\n`,
  }),
  lock: 'pnpm-lock.yaml',
  integrity: (name, version) =>
    new RegExp(
      `^ +['"]?/?${name}@${version}(?:\\([^\\n]*\\))?['"]?:\\n +resolution: \\{integrity: ([^,}\\s]+)`,
      'mu',
    ),
};

const bun: Installer = {
  program: 'bun',
  args: ['add', '--save-text-lockfile'],
  project: () => ({ 'package.json': JSON.stringify({ private: true }) }),
  lock: 'bun.lock',
  integrity: (name, version) => new RegExp(`\\["${name}@${version}", .*"(sha\\d+-[^"]+)"\\]`, 'u'),
  takesPrograms: true,
  aliases: ['tsc', 'claude'],
  isNode: true,
};

const yarn: Installer = {
  program: 'yarn',
  args: ['add'],
  project: () => ({
    'package.json': JSON.stringify({ private: true }),
    // With a lock file of its own it belongs to no project above.
    'yarn.lock': '',
    // Whatever the user's own settings say: files that lie there, where they are compared.
    '.yarnrc.yml': `${JSON.stringify({ nodeLinker: 'node-modules', enableTelemetry: false })}\n`,
  }),
  lock: 'yarn.lock',
  // Of Yarn 2 and later the hash of the archive in its cache, of Yarn 1 that of the registry's.
  integrity: (name, version) =>
    new RegExp(
      `^ +(?:resolution: "${name}@npm:${version}(?:::[^"]*)?"\\n(?: .*\\n)*? +checksum: |(?<=^"?${name}@.*:\\n +)version "${version}"\\n(?: .*\\n)*? +integrity )(\\S+)`,
      'mu',
    ),
};

const nodeLike: Launcher = {
  from: ['-p', '--package'],
  takes: [
    '--registry',
    '--cache',
    '--userconfig',
    '--prefix',
    '--loglevel',
    '-w',
    '--workspace',
    '--cwd',
    '-C',
    '--dir',
  ],
  harmless: '-y --yes -q --quiet -s --silent --loglevel --'.split(' '),
  separator: '@',
};
const npmLike: Launcher = {
  ...nodeLike,
  harmless: [
    ...nodeLike.harmless,
    ...'--no --no-install -d --ignore-scripts --offline --prefer-offline --prefer-online'.split(' '),
  ],
  byNpm: true,
};
const npmReads = { ...npmLike, readsOn: true } as const;
const pythonLike: Launcher = {
  from: ['--from', '--spec'],
  also: ['--with'],
  takes: ['-p', '--python', '--index-url', '--index', '--default-index', '--cache-dir', '-i', '--pip-args'],
  harmless: [],
  separator: '==',
};

/** By its command, with the words behind it that make it one. */
export const launchers: Readonly<Record<string, readonly Launcher[]>> = {
  npx: [npmLike],
  npm: [
    // npm takes beginnings of its commands, where only one begins so.
    ...['exec', 'exe', 'x'].map((verb) => ({ ...npmReads, verbs: [verb] })),
    ...['init', 'create', 'innit'].map((verb) => ({
      ...{ ...npmReads, verbs: [verb] },
      unclear: `npm ${verb} runs a package whose name it makes of this one`,
    })),
  ],
  pnpx: [{ ...nodeLike, installer: pnpm }],
  pnpm: [{ ...nodeLike, verbs: ['dlx'], installer: pnpm }],
  yarn: [{ ...nodeLike, verbs: ['dlx'], installer: yarn }],
  bunx: [{ ...nodeLike, installer: bun }],
  bun: [{ ...nodeLike, verbs: ['x'], installer: bun }],
  uvx: [pythonLike],
  uv: [{ ...pythonLike, verbs: ['tool', 'run'] }],
  pipx: [{ ...pythonLike, verbs: ['run'] }],
};
