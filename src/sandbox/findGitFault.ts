// Threat: a repository's config names programs, and Git runs them while it only reads: filters clean a file before it is compared, a
// lazy fetch asks whatever the address names, an include brings in any of it from elsewhere. Whoever makes the repository writes it: it
// comes with an archive, a submodule, a nested folder. What is known to start nothing is listed here; anything else asks.
import { posix, win32 } from 'node:path';
import { inertLine } from '../base/text.ts';
import type { FileSystem } from '../host/ports.ts';

interface GitSearch {
  readonly fs: Pick<FileSystem, 'stat' | 'readFile' | 'realpath'>;
  readonly platform: NodeJS.Platform;
  /** The folders that are open. */
  readonly roots: readonly string[];
}

const maxConfigBytes = 256 * 1024;
const maxPointerBytes = 4 * 1024;

/**
 * Why Git may run a program of the repository that it finds from `folder` (absolute) although everything is off that can be switched
 * off: one short sentence, undefined where it may not.
 */
export async function findGitFault(search: GitSearch, folder: string): Promise<string | undefined> {
  const rules = search.platform === 'win32' ? win32 : posix;
  if (folder.split(/[\\/]/u).some((name) => name.toLowerCase() === '.git'))
    return 'It runs inside a .git folder.';
  for (const git of await gitFoldersOf(search, rules.resolve(folder))) {
    const elsewhere = await findElsewhere(search, git);
    if (elsewhere !== undefined)
      return `What Git reads here is another repository, outside the workspace: ${elsewhere}.`;
    const configs = [git.own, git.common].flatMap((each) => [
      rules.join(each, 'config'),
      rules.join(each, 'config.worktree'),
    ]);
    for (const config of new Set(configs)) {
      const fault = await faultIn(search, config);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** Where Git keeps what belongs to one folder of work. */
interface GitFolder {
  /** `.git` beside the files. */
  readonly entry: string;
  /** The folder that it is or names. */
  readonly own: string;
  /** What several worktrees share; the same where there is one. */
  readonly common: string;
}

/**
 * The folder of every repository that Git may take: it passes by what is none by its rules, so that below a root each is looked at, and
 * above the first one ends the search.
 */
async function gitFoldersOf(search: GitSearch, folder: string): Promise<readonly GitFolder[]> {
  const rules = search.platform === 'win32' ? win32 : posix;
  const found: GitFolder[] = [];
  for (let at = folder; ; at = rules.dirname(at)) {
    const git = await gitFolderIn(search, at);
    if (git !== undefined) {
      found.push(git);
      if (!isBelowRoot(search, at)) return found;
    }
    if (rules.dirname(at) === at) return found;
  }
}

function isBelowRoot({ platform, roots }: GitSearch, folder: string): boolean {
  return roots.some((root) => isWithin(platform, root, folder) && root !== folder);
}

function isWithin(platform: NodeJS.Platform, root: string, path: string): boolean {
  const rules = platform === 'win32' ? win32 : posix;
  const rest = rules.relative(root, path);
  return rest !== '..' && !rest.startsWith(`..${rules.sep}`) && !rules.isAbsolute(rest);
}

/** What Git takes objects and names of revisions from. */
const sources = ['HEAD', 'packed-refs', 'refs', 'objects', 'objects/info', 'objects/pack', 'index', 'logs'];

/**
 * A place outside of all roots that the files of a root lead Git to: a private repository would show under their names. A worktree may
 * lie in a root without its repository, which says so itself.
 */
async function findElsewhere(
  search: GitSearch,
  { entry, own, common }: GitFolder,
): Promise<string | undefined> {
  const { fs, platform, roots } = search;
  const rules = platform === 'win32' ? win32 : posix;
  // Nobody but the user put what lies above.
  if (!roots.some((root) => isWithin(platform, root, entry))) return undefined;
  const realOf = async (path: string): Promise<string | undefined> =>
    await fs.realpath(path).catch(() => undefined);
  const home = await realOf(own);
  const back = await pointedTo(search, rules.join(own, 'gitdir'), /^(.*?)\s*$/u, own);
  // Only who may write into the other repository can say there that this is a worktree of it.
  const worktrees = await realOf(rules.join(common, 'worktrees'));
  const isKnownThere =
    home !== undefined &&
    worktrees !== undefined &&
    isWithin(platform, worktrees, home) &&
    back !== undefined;
  const isOwnWorktree = isKnownThere && (await realOf(back)) === (await realOf(entry));
  const allowed = (await Promise.all([...roots, ...(isOwnWorktree ? [common] : [])].map(realOf))).filter(
    (path) => path !== undefined,
  );
  const places = [own, common].flatMap((each) => [each, ...sources.map((name) => rules.join(each, name))]);
  const alternates = await linesOf(search, rules.join(common, 'objects', 'info', 'alternates'));
  const borrowed = alternates.map((line) => rules.resolve(common, 'objects', line));
  for (const place of new Set([...places, ...borrowed])) {
    const real = await realOf(place);
    if (real !== undefined && !allowed.some((root) => isWithin(platform, root, real))) return real;
  }
  return undefined;
}

async function linesOf({ fs }: GitSearch, file: string): Promise<readonly string[]> {
  const stat = await fs.stat(file).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > maxPointerBytes) return [];
  const lines = new TextDecoder().decode(await fs.readFile(file)).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

async function gitFolderIn(search: GitSearch, folder: string): Promise<GitFolder | undefined> {
  const rules = search.platform === 'win32' ? win32 : posix;
  const entry = rules.join(folder, '.git');
  const stat = await search.fs.stat(entry).catch(() => undefined);
  if (stat === undefined) return undefined;
  const own =
    stat.kind === 'directory' ? entry : await pointedTo(search, entry, /^gitdir: ?(.*?)\s*$/u, folder);
  if (own === undefined) return undefined;
  // That of a worktree lies with the repository that it belongs to.
  const common = (await pointedTo(search, rules.join(own, 'commondir'), /^(.*?)\s*$/u, own)) ?? own;
  return { entry, own, common };
}

async function pointedTo(
  { fs, platform }: GitSearch,
  file: string,
  shape: RegExp,
  base: string,
): Promise<string | undefined> {
  const rules = platform === 'win32' ? win32 : posix;
  const stat = await fs.stat(file).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > maxPointerBytes) return undefined;
  const [, path] = shape.exec(new TextDecoder().decode(await fs.readFile(file))) ?? [];
  return path === undefined || path === '' ? undefined : rules.resolve(base, path);
}

async function faultIn({ fs }: GitSearch, file: string): Promise<string | undefined> {
  const stat = await fs.stat(file).catch(() => undefined);
  if (stat === undefined) return undefined;
  if (stat.kind !== 'file' || stat.size > maxConfigBytes)
    return `Git's config of this repository can't be looked at: ${file}.`;
  const key = findUnknownKey(new TextDecoder().decode(await fs.readFile(file)));
  if (key === undefined) return undefined;
  return key === ''
    ? `Git's config of this repository can't be read safely: ${file}.`
    : `Git's config of this repository has ${key}, which may run a program: ${file}.`;
}

/** Sections that start nothing in a command that only reads, whatever they say. */
const harmlessSections = new Set(
  `add advice alias am apply browser checkout clean clone color column commit credential difftool fetch gc github gui hub
  http https i18n index init instaweb interactive maintenance man mergetool notes pack pager pull push rebase receive
  rerere reset sendemail sequence showbranch ssh submodule svn svn-remote transfer uploadarchive url user vscode web`.split(
    /\s+/u,
  ),
);

/** Keys of other sections that start nothing, or are switched off (`gitOverrides`). */
const harmlessKeys =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|untrackedcache|preloadindex|trustctime|checkstat|sparsecheckout|sparsecheckoutcone|commentchar|commentstring|whitespace|compression|loosecompression|bigfilethreshold|fscache|longpaths|protectntfs|protecthfs|fsmonitor|usebuiltinfsmonitor|hookspath|pager|editor|sshcommand|askpass|gitproxy|attributesfile|excludesfile|fsync|fsyncmethod|fsyncobjectfiles|multipackindex|commitgraph|usereplacerefs|sharedrepository|splitindex|notesref|hidedotfiles|warnambiguousrefs|alternaterefscommand)|lfs\.(?:repositoryformatversion|url|pushurl|access|locksverify|fetchinclude|fetchexclude|allowincompletepush|concurrenttransfers)|remote\.(?:url|fetch|push|pushurl|tagopt|prune|prunetags|mirror|proxy|gh-resolved|skipfetchall|skipdefaultupdate|receivepack|uploadpack)|extensions\.(?:objectformat|worktreeconfig|refstorage|noop|preciousobjects|relativeworktrees)|diff\.(?:algorithm|renames|renamelimit|colormoved|colormovedws|context|interhunkcontext|mnemonicprefix|noprefix|tool|guitool|wserrorhighlight|indentheuristic|suppressblankempty|statgraphwidth|statnamewidth|autorefreshindex|dirstat|relative)|status\.(?!submodulesummary$).*|(?:branch|tag)\.(?!sort$).*|gpg\..*|log\..*|merge\.(?!driver$).*|stash\..*|blame\.(?:coloring|date|showemail|markignoredlines|markunblamablelines)|grep\.(?!fallbacktonoindex$).*|feature\..*|sparse\..*)$/u;

/**
 * The first key of a config that may start a program, as `section.part.key`; empty where a line is none that this reads; undefined where there
 * is none. A line that goes on with the next one is not read: what stands there may look like a section. Pure.
 */
function findUnknownKey(config: string): string | undefined {
  let section = '';
  let part = '';
  for (const line of config.replace(/^\uFEFF/u, '').split('\n')) {
    let rest = line.trim();
    if (rest.endsWith('\\')) return '';
    for (;;) {
      const [header, name, old, quoted] =
        /^\[\s*([A-Za-z0-9-]+)(\.[^\]"]*)?(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/u.exec(rest) ?? [];
      if (header === undefined || name === undefined) break;
      section = name.toLowerCase();
      part = quoted === undefined ? (old ?? '') : `.${quoted}`;
      // The old way to write a subsection.
      if (old?.includes('\\') === true) return '';
      rest = rest.slice(header.length);
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue;
    const [key] = /^[A-Za-z][A-Za-z0-9-]*(?=\s*(?:=|$|[#;]))/u.exec(rest) ?? [];
    if (key === undefined || section === '') return '';
    const name = `${section}.${key.toLowerCase()}`;
    if (!harmlessSections.has(section) && !harmlessKeys.test(name))
      return `${section}${inertLine(part, 60)}.${key.toLowerCase()}`;
  }
  return undefined;
}
