import { readdir, readFile } from 'node:fs/promises';

/** What finding the processes of a group needs of the machine; reading gives undefined where it fails. */
interface ProcessGroupsDeps {
  readonly platform: NodeJS.Platform;
  /** False where the group is surely empty. */
  readonly mayExist: (group: number) => boolean;
  /** Names in `/proc`. */
  readonly listProcesses: () => Promise<readonly string[]>;
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** True where a process of the group was started with this variable (`NAME=value`). False where that can't be told. */
type HasMarkedProcess = (group: number, variable: string) => Promise<boolean>;

/** Only Linux lets us look: `/proc/<pid>/stat` names the group, `/proc/<pid>/environ` what it was started with. */
export function createHasMarkedProcess(deps: ProcessGroupsDeps): HasMarkedProcess {
  return async (group, variable) => {
    if (deps.platform !== 'linux' || !deps.mayExist(group)) return false;
    const pids = (await deps.listProcesses()).filter((name) => /^\d+$/u.test(name));
    for (const pid of pids) {
      const stat = (await deps.readText(`/proc/${pid}/stat`)) ?? '';
      if (fieldOf(stat, 5) !== String(group)) continue;
      const variables = ((await deps.readText(`/proc/${pid}/environ`)) ?? '').split('\0');
      if (variables.includes(variable)) return true;
    }
    return false;
  };
}

/** Ends every process that was started with this variable, in whatever group or session it is. Does nothing where that can't be told. */
type KillMarked = (variable: string) => Promise<void>;

/** A server that has its user sign in may have started their browser: by name, for it carries the mark as all that the server started. */
const ofDesktop =
  /^(?:firefox|librewolf|waterfox|chrome|chromium|brave|msedge|opera|vivaldi|epiphany|konqueror|falkon|thunderbird|nautilus|dolphin|code)/iu;

/** A process may start others while it is looked for: as many times is looked again. */
const maxRounds = 10;

export function createKillMarked({
  platform,
  listProcesses,
  readText,
  kill,
}: Omit<ProcessGroupsDeps, 'mayExist'> & { readonly kill: (pid: number) => void }): KillMarked {
  return async (variable) => {
    if (platform !== 'linux') return;
    for (let round = 0; round < maxRounds; round += 1) {
      const pids = (await listProcesses()).filter((name) => /^\d+$/u.test(name));
      const environments = await Promise.all(pids.map((pid) => readText(`/proc/${pid}/environ`)));
      const marked = pids.filter((_, at) => environments[at]?.split('\0').includes(variable));
      const names = await Promise.all(marked.map((pid) => readText(`/proc/${pid}/comm`)));
      const ending = marked.filter((_, at) => !ofDesktop.test(names[at] ?? ''));
      if (ending.length === 0) return;
      for (const pid of ending) kill(Number(pid));
    }
  };
}

type NoteDescendants = (pid: number) => Promise<() => Promise<void>>;

/** A process that cleared its environment has no mark, but a parent, as long as that one lives. */
export function createNoteDescendants({
  platform,
  listProcesses,
  readText,
  kill,
}: Omit<ProcessGroupsDeps, 'mayExist'> & { readonly kill: (pid: number) => void }): NoteDescendants {
  const statOf = async (pid: string): Promise<string> => (await readText(`/proc/${pid}/stat`)) ?? '';
  return async (root) => {
    const pids = platform === 'linux' ? (await listProcesses()).filter((name) => /^\d+$/u.test(name)) : [];
    const stats = new Map(await Promise.all(pids.map(async (pid) => [pid, await statOf(pid)] as const)));
    const descends = (pid: string, steps = 0): boolean => {
      const parent = fieldOf(stats.get(pid) ?? '', 4);
      if (parent === undefined || steps > pids.length) return false;
      return parent === String(root) || descends(parent, steps + 1);
    };
    const noted = pids.filter((pid) => descends(pid));
    return async () => {
      for (const pid of noted) {
        const now = await statOf(pid);
        // A number is used again; when a process started is not.
        if (fieldOf(now, 22) === undefined || fieldOf(now, 22) !== fieldOf(stats.get(pid) ?? '', 22))
          continue;
        if (!ofDesktop.test((await readText(`/proc/${pid}/comm`)) ?? '')) kill(Number(pid));
      }
    };
  };
}

/** A field of `stat` by its number from 1; the name, field 2, may hold blanks and parentheses. */
function fieldOf(stat: string, number: number): string | undefined {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[number - 3];
}

const procfs = {
  listProcesses: () => readdir('/proc').catch(() => []),
  readText: (path: string) => readFile(path, 'utf8').catch(() => undefined),
};

export function nodeHasMarkedProcess(
  platform: NodeJS.Platform,
  mayExist: (group: number) => boolean,
): HasMarkedProcess {
  return createHasMarkedProcess({ platform, mayExist, ...procfs });
}

export function nodeNoteDescendants(platform: NodeJS.Platform, kill: (pid: number) => void): NoteDescendants {
  return createNoteDescendants({ platform, kill, ...procfs });
}

export function nodeKillMarked(platform: NodeJS.Platform, kill: (pid: number) => void): KillMarked {
  return createKillMarked({ platform, kill, ...procfs });
}
