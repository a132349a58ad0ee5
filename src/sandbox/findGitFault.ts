// Threat: a repository's config names programs, and Git runs them while it only reads: filters clean a file before it is compared, a
// lazy fetch asks whatever the address names, an include brings in any of it from elsewhere. Whoever makes the repository writes it: it
// comes with an archive, a submodule, a nested folder. What is known to start nothing is listed here; anything else asks.
import { posix, win32 } from 'node:path';
import type { FileSystem } from '../host/ports.ts';

export interface GitSearch {
  readonly fs: Pick<FileSystem, 'stat' | 'readFile'>;
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
  for (const config of await configsOf(search, rules.resolve(folder))) {
    const fault = await faultIn(search, config);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * The config files of every repository that Git may take: it passes by what is none by its rules, so that below a root each is looked
 * at, and above the first one ends the search.
 */
async function configsOf(search: GitSearch, folder: string): Promise<readonly string[]> {
  const rules = search.platform === 'win32' ? win32 : posix;
  const found: string[] = [];
  for (let at = folder; ; at = rules.dirname(at)) {
    const git = await gitFolderIn(search, at);
    if (git !== undefined) {
      found.push(...git);
      if (!isBelowRoot(search, at)) return found;
    }
    if (rules.dirname(at) === at) return found;
  }
}

function isBelowRoot({ platform, roots }: GitSearch, folder: string): boolean {
  const rules = platform === 'win32' ? win32 : posix;
  return roots.some((root) => {
    const rest = rules.relative(root, folder);
    return rest !== '' && !rest.startsWith('..') && !rules.isAbsolute(rest);
  });
}

/** The config files of the repository in a folder: that of a worktree lies with the repository that it belongs to. */
async function gitFolderIn(search: GitSearch, folder: string): Promise<readonly string[] | undefined> {
  const rules = search.platform === 'win32' ? win32 : posix;
  const path = rules.join(folder, '.git');
  const stat = await search.fs.stat(path).catch(() => undefined);
  if (stat === undefined) return undefined;
  const git =
    stat.kind === 'directory' ? path : await pointedTo(search, path, /^gitdir: ?(.*?)\s*$/u, folder);
  if (git === undefined) return undefined;
  const common = (await pointedTo(search, rules.join(git, 'commondir'), /^(.*?)\s*$/u, git)) ?? git;
  return [...new Set([git, common])].flatMap((each) => [
    rules.join(each, 'config'),
    rules.join(each, 'config.worktree'),
  ]);
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
  `add advice alias am apply branch browser checkout clean clone color column commit credential difftool fetch gc github gpg gui hub
  http https i18n index init instaweb interactive log maintenance man merge mergetool notes pack pager pull push rebase receive
  rerere reset sendemail sequence showbranch ssh stash submodule svn svn-remote tag transfer uploadarchive url user vscode web`.split(
    /\s+/u,
  ),
);

/** Keys of other sections that start nothing, or are switched off (`gitOverrides`). */
const harmlessKeys =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|untrackedcache|preloadindex|trustctime|checkstat|sparsecheckout|sparsecheckoutcone|commentchar|commentstring|whitespace|compression|loosecompression|bigfilethreshold|fscache|longpaths|protectntfs|protecthfs|fsmonitor|usebuiltinfsmonitor|hookspath|pager|editor|sshcommand|askpass|gitproxy|attributesfile|excludesfile|fsync|fsyncmethod|fsyncobjectfiles|multipackindex|commitgraph|usereplacerefs|sharedrepository|splitindex|notesref|hidedotfiles|warnambiguousrefs|alternaterefscommand)|lfs\.(?:repositoryformatversion|url|pushurl|access|locksverify|fetchinclude|fetchexclude|allowincompletepush|concurrenttransfers)|remote\.(?:url|fetch|push|pushurl|tagopt|prune|prunetags|mirror|proxy|gh-resolved|skipfetchall|skipdefaultupdate|receivepack|uploadpack)|extensions\.(?:objectformat|worktreeconfig|refstorage|noop|preciousobjects|relativeworktrees)|diff\.(?:algorithm|renames|renamelimit|colormoved|colormovedws|context|interhunkcontext|mnemonicprefix|noprefix|tool|guitool|wserrorhighlight|indentheuristic|suppressblankempty|statgraphwidth|statnamewidth|autorefreshindex|dirstat|relative)|status\.(?!submodulesummary$).*|blame\.(?:coloring|date|showemail|markignoredlines|markunblamablelines)|grep\.(?!fallbacktonoindex$).*|feature\..*|sparse\..*)$/u;

/**
 * The first key of a config that may start a program, as `section.key`; empty where a line is none that this reads; undefined where there
 * is none. A line that goes on with the next one is not joined to it: what stands there is read as a key of its own. Pure.
 */
export function findUnknownKey(config: string): string | undefined {
  let section = '';
  for (const line of config.replace(/^\uFEFF/u, '').split('\n')) {
    let rest = line.trim();
    for (;;) {
      const [header, name, old] =
        /^\[\s*([A-Za-z0-9-]+)(\.[^\]"]*)?(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*/u.exec(rest) ?? [];
      if (header === undefined || name === undefined) break;
      section = name.toLowerCase();
      // The old way to write a subsection.
      if (old?.includes('\\') === true) return '';
      rest = rest.slice(header.length);
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue;
    const [key] = /^[A-Za-z][A-Za-z0-9-]*(?=\s*(?:=|$|[#;]))/u.exec(rest) ?? [];
    if (key === undefined || section === '') return '';
    const name = `${section}.${key.toLowerCase()}`;
    if (!harmlessSections.has(section) && !harmlessKeys.test(name)) return name;
  }
  return undefined;
}
