// Threat: after a kill −9 of the window, what it had started runs on for ever; and a clean-up by number alone would kill a
// stranger that got the number since. Each process is noted with what the system says of its start, and one that is found
// later is ended only where both match, or, where it has ended and left others in its group, where those carry this window's
// mark. A window that lives keeps its own: the note names its owner the same way.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { Processes } from '../host/processes.ts';

interface OrphanedProcessesDeps {
  readonly fs: FileSystem;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Absolute path of a folder of our own in the state folder; one file a window. */
  readonly path: string;
  /** Told of a note that could not be written; commands run all the same. */
  readonly report: (problem: string) => void;
}

/** A process as a note names it. */
interface NotedProcess {
  readonly pid: number;
  readonly startTime: string;
}

export interface OrphanedProcesses {
  /** Starts programs like the given one, each noted on disk for as long as it runs. */
  readonly processes: Processes;
  /**
   * Ends, with everything they started, what windows that are gone have left running: politely, after two seconds by force.
   * Gives what it found. Never rejects.
   */
  reap(): Promise<readonly NotedProcess[]>;
  /** Resolves when the notes say what is. */
  settled(): Promise<void>;
  /**
   * The window closes: ends what commands that have ended themselves left running in their groups. To be called when no command
   * runs any more. Never rejects.
   */
  close(): Promise<void>;
}

const gracePeriodMs = 2_000;
const maxNoteBytes = 10_000_000;
/** The variable that all processes of one window are started with. */
const markName = 'PINCER_WINDOW';

export function createOrphanedProcesses(deps: OrphanedProcessesDeps): OrphanedProcesses {
  const { processes, report } = deps;
  const window = randomUUID();
  const notes = createNotes(deps, window);
  /** What goes wrong is told; nobody can do anything about it there. */
  const safely = async (work: () => Promise<readonly NotedProcess[]>): Promise<readonly NotedProcess[]> => {
    try {
      return await work();
    } catch (error) {
      report(`Could not end all that commands have left running: ${errorMessage(error)}`);
      return [];
    }
  };
  return {
    processes: {
      ...processes,
      async start(request) {
        const running = await processes.start({ ...request, env: { ...request.env, [markName]: window } });
        notes.follow(running.pid, running.startTime, running.exit);
        return running;
      },
    },
    settled: () => notes.settled(),
    reap: () => safely(() => reap(deps)),
    async close() {
      await notes.settled();
      await safely(() =>
        endAll(
          deps,
          notes.left().map((each) => ({ ...each, window })),
        ),
      );
      await notes.clear();
    },
  };
}

interface Notes {
  follow(pid: number, startTime: Promise<string | undefined>, exit: Promise<unknown>): void;
  settled(): Promise<void>;
  /** Processes that have ended and whose groups have not. */
  left(): readonly NotedProcess[];
  clear(): Promise<void>;
}

/** A line each: first the owner, then what was started (`+`) and what has ended (`-`). Gone while nothing runs. */
function createNotes({ fs, processes, path, report }: OrphanedProcessesDeps, window: string): Notes {
  const file = join(path, `${processes.ownPid}-${window}.jsonl`);
  const owner = processes.startTimeOf(processes.ownPid);
  let noted = 0;
  let left: readonly NotedProcess[] = [];
  let work: Promise<void> = Promise.resolve();
  /** One after the other: an end is never written before its start. */
  const enqueue = (step: () => Promise<void>): Promise<void> => {
    work = work.then(step).catch((error: unknown) => {
      report(`A running command could not be noted in ${file}: ${errorMessage(error)}`);
    });
    return work;
  };
  const add = async ({ pid, startTime }: NotedProcess): Promise<boolean> => {
    const ownStart = await owner;
    // Without it nobody could tell later whether this window is gone.
    if (ownStart === undefined) return false;
    if (noted === 0)
      await fs.writeFile(file, toLine({ owner: processes.ownPid, startTime: ownStart, window }));
    noted += 1;
    await fs.append(file, toLine({ '+': pid, startTime }));
    return true;
  };
  const hasLeft = (pid: number): Promise<boolean> => processes.hasMarkedProcess(pid, `${markName}=${window}`);
  const drop = async (ended: NotedProcess): Promise<void> => {
    if (await hasLeft(ended.pid)) {
      left = [...left, ended];
      return;
    }
    noted -= 1;
    await (noted === 0
      ? fs.remove(file)
      : fs.append(file, toLine({ '-': ended.pid, startTime: ended.startTime })));
  };
  /** One that ended at once needs a note only for what it left; its mark alone tells that. */
  const addLeft = async (pid: number): Promise<void> => {
    const ended = { pid, startTime: '' };
    if ((await hasLeft(pid)) && (await add(ended))) left = [...left, ended];
  };
  return {
    follow(pid, startTime, exit) {
      void enqueue(async () => {
        const time = await startTime;
        const after = (step: () => Promise<void>): void => void exit.then(() => enqueue(step));
        if (time === undefined) {
          after(() => addLeft(pid));
          return;
        }
        const process = { pid, startTime: time };
        if (await add(process)) after(() => drop(process));
      });
    },
    async settled() {
      for (;;) {
        const last = work;
        await last;
        if (last === work) return;
      }
    },
    left: () => left,
    clear: () =>
      enqueue(async () => {
        if (noted !== left.length) return;
        left = [];
        noted = 0;
        await fs.remove(file);
      }),
  };
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A process of a window. */
interface LeftProcess extends NotedProcess {
  readonly window: string;
}

async function reap(deps: OrphanedProcessesDeps): Promise<readonly NotedProcess[]> {
  const { fs, processes, path } = deps;
  if ((await fs.stat(path)) === undefined) return [];
  const names = (await fs.readDirectory(path))
    .map((entry) => entry.name)
    .filter((name) => /^\d+-[\w-]+\.jsonl$/u.test(name));
  const left: LeftProcess[] = [];
  const files: string[] = [];
  for (const name of names) {
    const file = join(path, name);
    const text = await fs.readText(file, maxNoteBytes).catch(() => undefined);
    // Its window has just removed it.
    if (text === undefined) continue;
    const note = readNote(text);
    if (note !== undefined && (await processes.startTimeOf(note.owner.pid)) === note.owner.startTime)
      continue;
    files.push(file);
    left.push(...(note?.running ?? []));
  }
  const found = await endAll(deps, left);
  for (const file of files) await fs.remove(file);
  return found;
}

/** Ends those that are surely what was noted, and gives them. */
async function endAll(
  { processes, clock }: OrphanedProcessesDeps,
  left: readonly LeftProcess[],
): Promise<readonly NotedProcess[]> {
  const lives = async ({ pid, startTime, window }: LeftProcess): Promise<boolean> =>
    (await processes.startTimeOf(pid)) === startTime ||
    (await processes.hasMarkedProcess(pid, `${markName}=${window}`));
  const found: LeftProcess[] = [];
  for (const each of left) if (await lives(each)) found.push(each);
  if (found.length === 0) return [];
  for (const { pid } of found) processes.killGroup(pid, 'SIGTERM');
  await new Promise<void>((resolve) => void clock.after(gracePeriodMs, resolve));
  for (const each of found) if (await lives(each)) processes.killGroup(each.pid, 'SIGKILL');
  return found.map(({ pid, startTime }) => ({ pid, startTime }));
}

/** Undefined where it names no owner. A line that was cut off by a crash counts for nothing. */
function readNote(
  text: string,
): { readonly owner: NotedProcess; readonly running: readonly LeftProcess[] } | undefined {
  let owner: NotedProcess | undefined;
  let window = '';
  let running: readonly LeftProcess[] = [];
  for (const line of text.split('\n')) {
    const value = parseJson(line);
    if (!isRecord(value) || typeof value['startTime'] !== 'string') continue;
    const { startTime } = value;
    const started = value['+'];
    const ended = value['-'];
    if (isPid(value['owner']) && typeof value['window'] === 'string') {
      owner = { pid: value['owner'], startTime };
      window = value['window'];
    }
    if (isPid(started)) running = [...running, { pid: started, startTime, window }];
    if (isPid(ended)) running = running.filter((each) => each.pid !== ended || each.startTime !== startTime);
  }
  return owner === undefined ? undefined : { owner, running };
}

function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 1;
}
