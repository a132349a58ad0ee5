// Threat: a command that only reads shows what `read` asks about: `cat .env`, `grep -r KEY .`, a `git diff` of a file with keys, a link
// that leads out of the workspace. And it obeys files that lie beside what it reads. So before it runs without a question, each file that
// it names, and each that it would find, is judged as `read` judges it.
import { errorMessage } from '../../base/errors.ts';
import { compileGlob } from '../../base/compileGlob.ts';
import type { Clock, FileSystem } from '../../host/ports.ts';
import { findGitFault } from '../../sandbox/findGitFault.ts';
import type { ExecOperations, ExecRequest } from '../../sandbox/execOperations.ts';
import type { HarmlessUse } from '../../shell/findHarmlessUse.ts';
import { gitOverrides, configDrivenTools } from '../../shell/harmlessCommands.ts';
import type { LineWord } from '../../shell/readLine.ts';
import { withGitConfig } from '../../shell/withGitGuard.ts';
import { protectionOf } from '../paths/protectedPaths.ts';
import { resolveWorkspacePath } from '../paths/resolveWorkspacePath.ts';
import { flavourOf, placeOf, type WorkspaceLayout } from '../paths/workspaceLayout.ts';

interface UseJudgeDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly layout: () => WorkspaceLayout;
}

/** How the command would run. */
interface UseCall {
  readonly operations: ExecOperations;
  readonly shell: ExecRequest['shell'];
  readonly workdir: string;
  readonly env: ExecRequest['env'];
}

/** How many files below the folders of a command are looked at before it asks. */
const maxWalked = 20_000;

/** How long Git may take to say what it would show. Milliseconds. */
const listingMs = 5_000;
const maxListing = 1_000_000;

/** The environment in which files of the workspace start nothing by these commands. Pure. */
export function harmlessEnvironment(
  env: ExecRequest['env'],
  uses: readonly HarmlessUse[],
): ExecRequest['env'] {
  const who = new Set(uses.flatMap(({ command }) => command.obeys ?? []));
  const variables = [...who].map((each) => configDrivenTools[each].variables);
  const switched: ExecRequest['env'] = Object.assign({}, env, ...variables) as ExecRequest['env'];
  return who.has('git') ? withGitConfig(withoutPlaces(switched), gitOverrides) : switched;
}

/** What names another repository than the one that is looked at, or a program beside its config. */
const gitPlaces =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|INDEX_FILE|NAMESPACE|EXEC_PATH|EXTERNAL_DIFF|PAGER|TRACE.*)$/iu;

function withoutPlaces(env: ExecRequest['env']): ExecRequest['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !gitPlaces.test(name)));
}

/** Why nothing runs unasked in a folder (absolute): one short sentence; undefined where it lies in the workspace. */
export async function judgeFolder(deps: UseJudgeDeps, folder: string): Promise<string | undefined> {
  return await faultOfPath(deps, folder, 'list');
}

/** Why the commands need a question: one short sentence; undefined where they need none. */
export async function judgeUses(
  deps: UseJudgeDeps,
  uses: readonly HarmlessUse[],
  call: UseCall,
): Promise<string | undefined> {
  for (const use of uses) {
    const fault = await judgeUse(deps, use, call);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function judgeUse(deps: UseJudgeDeps, use: HarmlessUse, call: UseCall): Promise<string | undefined> {
  const folder = use.folder === undefined ? call.workdir : absolute(deps, call.workdir, use.folder);
  const inFolder = await judgeFolder(deps, folder);
  if (inFolder !== undefined) return inFolder;
  const { obeys } = use.command;
  const files = obeys === undefined ? [] : askedFor(obeys);
  const found = await findAbove(deps, folder, files);
  if (found !== undefined) return `${use.name} obeys ${found}.`;
  if (obeys === 'git') {
    const fault = await findGitFault({ ...deps, roots: deps.layout().roots }, folder);
    if (fault !== undefined) return fault;
  }
  for (const word of use.names) {
    const fault = await faultOfWord(deps, folder, word, 'name');
    if (fault !== undefined) return fault;
  }
  const isWhole = use.walks !== undefined && use.reads.length === 0;
  const reads = isWhole
    ? [{ text: '.', isPlain: true, expands: false, isHome: false, startsOpen: false }]
    : use.reads;
  for (const word of [...reads, ...use.mayRead]) {
    // A file of an earlier revision needs not be on disk, and its path begins at the top of the repository.
    const protection = protectionOf(word.text.split('/'), 'read');
    if (protection !== undefined) return `It shows ${word.text}: ${protection}.`;
    const fault = await faultOfWord(deps, folder, word, use.walks ?? 'file');
    if (fault !== undefined) return fault;
  }
  const fault = use.command.shows === undefined ? undefined : await faultOfRevisions(deps, use, call);
  if (fault !== undefined || use.listing === undefined) return fault;
  return await faultOfListing(deps, use, use.listing, call);
}

function askedFor(name: keyof typeof configDrivenTools): readonly string[] {
  const row: (typeof configDrivenTools)[typeof name] & { readonly asksFor?: readonly string[] } =
    configDrivenTools[name];
  return row.asksFor ?? [];
}

function absolute({ platform }: UseJudgeDeps, folder: string, { text }: LineWord): string {
  return flavourOf(platform).resolve(folder, text);
}

/** One of these files in a folder or above it, up to the workspace. */
async function findAbove(
  { fs, platform, layout }: UseJudgeDeps,
  folder: string,
  names: readonly string[],
): Promise<string | undefined> {
  const rules = flavourOf(platform);
  if (names.length === 0) return undefined;
  for (let at = folder; placeOf(layout(), at) !== undefined; at = rules.dirname(at)) {
    for (const name of names)
      if ((await fs.stat(rules.join(at, name))) !== undefined) return rules.join(at, name);
  }
  return undefined;
}

/** `name`: facts about it are shown; `file`: its text; else that of files below it, too. */
type Shown = 'name' | 'file' | NonNullable<HarmlessUse['walks']>;

async function faultOfWord(
  deps: UseJudgeDeps,
  folder: string,
  word: LineWord,
  shown: Shown,
): Promise<string | undefined> {
  if (word.isHome) return `${word.text} is outside the workspace.`;
  if (!word.expands) return await faultOfFile(deps, absolute(deps, folder, word), shown);
  const names = word.text.split('/');
  const first = names.findIndex((name) => /[*?[\]]/u.test(name));
  const start = absolute(deps, folder, { ...word, text: names.slice(0, first).join('/') || '.' });
  const outside = await faultOfPath(deps, start, 'list');
  if (outside !== undefined) return outside;
  let paths: readonly string[] = [start];
  const isOption = word.startsOpen
    ? (path: string) => flavourOf(deps.platform).basename(path).startsWith('-')
    : undefined;
  for (const name of names.slice(first)) {
    paths = await matching(deps, paths, name);
    if (isOption !== undefined && paths.some(isOption))
      return `${word.text} may mean an option: a file is named like one.`;
    if (paths.length > maxWalked) return `${word.text} may mean too many files to look at.`;
  }
  for (const path of paths) {
    const fault = await faultOfFile(deps, path, shown);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What one name of a shell's pattern may mean in these folders. */
async function matching(
  { fs, platform }: UseJudgeDeps,
  folders: readonly string[],
  pattern: string,
): Promise<readonly string[]> {
  const matches = compileName(pattern);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await fs.readDirectory(folder).catch(() => []);
      return entries.flatMap(({ name }) => (matches(name) ? [flavourOf(platform).join(folder, name)] : []));
    }),
  );
  return found.flat();
}

/**
 * What is no glob for us, or stands for other characters to the shell (`[[:alpha:]]`, and ranges in each language), may mean every
 * name. Names with a dot in front have to be meant.
 */
function compileName(pattern: string): (name: string) => boolean {
  const isMeant = (name: string): boolean => !name.startsWith('.') || pattern.startsWith('.');
  if (pattern.includes('[')) return isMeant;
  try {
    const glob = compileGlob(pattern);
    return (name) => isMeant(name) && glob([name]);
  } catch {
    return isMeant;
  }
}

async function faultOfFile(deps: UseJudgeDeps, path: string, shown: Shown): Promise<string | undefined> {
  const fault = await faultOfPath(deps, path, shown === 'name' ? 'list' : 'search');
  if (fault !== undefined || shown === 'name') return fault;
  const stat = await deps.fs.stat(path);
  if (shown === 'file' || stat?.kind !== 'directory') return undefined;
  return await faultBelow(deps, path, shown);
}

/** What is not there shows nothing, and what is a file has no names to list. */
const harmlessFaults = new Set(['path_not_found', 'path_not_a_folder', 'path_is_folder']);

async function faultOfPath(
  deps: UseJudgeDeps,
  path: string,
  op: 'list' | 'search',
): Promise<string | undefined> {
  try {
    const verdict = await resolveWorkspacePath({ fs: deps.fs, layout: deps.layout() }, path, op);
    if (verdict.kind === 'allow') return undefined;
    if (verdict.kind === 'ask')
      return op === 'list' ? undefined : `It shows ${verdict.label}: ${verdict.protection}.`;
    return harmlessFaults.has(verdict.code) ? undefined : verdict.reason;
  } catch (error) {
    return `${path} can't be looked at: ${errorMessage(error)}`;
  }
}

/** A protected file somewhere below a folder. Links to folders are not followed by what reads whole folders. */
async function faultBelow(
  { fs, platform, layout }: UseJudgeDeps,
  start: string,
  walks: NonNullable<HarmlessUse['walks']>,
): Promise<string | undefined> {
  const waiting = [start];
  let walked = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, kind } of await fs.readDirectory(folder).catch(() => [])) {
      if (walks === 'visible' ? name.startsWith('.') : walks === 'without .git' && name === '.git') continue;
      walked += 1;
      if (walked > maxWalked) return `There are too many files below ${start} to look at.`;
      const path = flavourOf(platform).join(folder, name);
      if (kind === 'directory') waiting.push(path);
      const place = placeOf(layout(), path);
      const protection = place === undefined ? undefined : protectionOf(place.segments, 'read');
      if (kind !== 'directory' && protection !== undefined) return `It shows ${path}: ${protection}.`;
    }
  }
  return undefined;
}

interface Answer {
  readonly code: number | undefined;
  readonly text: string;
}

/** Which files Git would show the text of, asked of Git itself. */
async function faultOfListing(
  deps: UseJudgeDeps,
  use: HarmlessUse,
  listing: readonly string[],
  call: UseCall,
): Promise<string | undefined> {
  const { code, text } = await askGit(deps, call, listing);
  // `grep` gives 1 where nothing was found.
  const isDone = code === 0 || (code === 1 && use.name === 'git grep');
  if (!isDone || text.length > maxListing) return `Git does not say which files '${use.name}' would show.`;
  for (const name of text.split('\0')) {
    for (const each of [name, name.slice(name.indexOf(':') + 1)]) {
      const protection = protectionOf(each.trim().split('/'), 'read');
      if (protection !== undefined) return `It shows ${each.trim()}: ${protection}.`;
    }
  }
  return undefined;
}

/** A file that a revision stands for, by its hash or by a name of Git's own, has no name that could be judged. */
async function faultOfRevisions(
  deps: UseJudgeDeps,
  use: HarmlessUse,
  call: UseCall,
): Promise<string | undefined> {
  const folder = use.folder === undefined ? [] : ['-C', use.folder.text];
  const revisions = use.reads
    .flatMap(({ text }) => text.split(/\.{2,3}/u))
    .map((part) => part.replace(/^\^/u, '').replace(/\^(?:[!@]|-\d*)$/u, ''));
  for (const revision of new Set(revisions.filter((each) => each !== ''))) {
    const { text } = await askGit(deps, call, ['git', ...folder, 'cat-file', '-t', `${revision}^{}`]);
    if (text.trim() === 'blob') return `It shows a file by another name: ${revision}.`;
  }
  return undefined;
}

async function askGit(
  { clock }: UseJudgeDeps,
  { operations, shell, workdir, env }: UseCall,
  [program = '', ...args]: readonly string[],
): Promise<Answer> {
  const plan = { steps: [{ when: 'always', pipeline: [{ argv: [program, ...args] }] }] } as const;
  // A container gives the line to a shell.
  const command = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const running = await operations.start({ command, shell, plan, workdir, env, hasInput: false });
  let text = '';
  const decoder = new TextDecoder();
  running.onOutput((stream, bytes) => {
    if (stream === 'stdout' && text.length <= maxListing) text += decoder.decode(bytes, { stream: true });
  });
  const cancel = clock.after(listingMs, () => void running.stop());
  const { code } = await running.exit;
  cancel();
  return { code, text };
}
