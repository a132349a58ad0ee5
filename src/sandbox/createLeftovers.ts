// Threat: after a kill −9 of the window, what it had started runs on for ever; and a clean-up by number alone would kill a
// stranger that got the number since. Each process is noted with what the system says of its start, and one that is found
// later is ended only where both match. A window that lives keeps its own: the note names its owner the same way.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { Processes } from '../host/processes.ts';

export interface LeftoversDeps {
  readonly fs: FileSystem;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Absolute path of a folder of our own in the state folder; one file a window. */
  readonly path: string;
  /** Told of a note that could not be written; commands run all the same. */
  readonly report: (problem: string) => void;
}

/** A process as a note names it. */
export interface NotedProcess {
  readonly pid: number;
  readonly startTime: string;
}

export interface Leftovers {
  /** Starts programs like the given one, each noted on disk for as long as it runs. */
  readonly processes: Processes;
  /**
   * Ends, with everything they started, what windows that are gone have left running: politely, after two seconds by force.
   * Gives what it found. Never rejects.
   */
  reap(): Promise<readonly NotedProcess[]>;
  /** Resolves when the notes say what is. */
  settled(): Promise<void>;
}

const politeMs = 2_000;
const maxNoteBytes = 10_000_000;

export function createLeftovers(deps: LeftoversDeps): Leftovers {
  const { processes } = deps;
  const notes = createNotes(deps);
  return {
    processes: {
      ...processes,
      async start(request) {
        const running = await processes.start(request);
        notes.follow(running.pid, running.startTime, running.exit);
        return running;
      },
    },
    settled: () => notes.settled(),
    async reap() {
      try {
        return await reap(deps);
      } catch (error) {
        deps.report(
          `Could not look for commands that an earlier window left running: ${errorMessage(error)}`,
        );
        return [];
      }
    },
  };
}

/** A line each: first the owner, then what was started (`+`) and what has ended (`-`). Gone while nothing runs. */
function createNotes(deps: LeftoversDeps): {
  follow(pid: number, startTime: Promise<string | undefined>, exit: Promise<unknown>): void;
  settled(): Promise<void>;
} {
  const { fs, processes, path, report } = deps;
  const file = join(path, `${processes.ownPid}-${randomUUID()}.jsonl`);
  const owner = processes.startTimeOf(processes.ownPid);
  let noted = 0;
  let work: Promise<void> = Promise.resolve();
  /** One after the other: an end is never written before its start. */
  const enqueue = (step: () => Promise<void>): Promise<void> => {
    work = work.then(step).catch((error: unknown) => {
      report(`A running command could not be noted in ${file}: ${errorMessage(error)}`);
    });
    return work;
  };
  const add = async (line: object): Promise<void> => {
    const startTime = await owner;
    // Without it nobody could tell later whether this window is gone.
    if (startTime === undefined) return;
    if (noted === 0) await fs.writeFile(file, toLine({ owner: processes.ownPid, startTime }));
    noted += 1;
    await fs.append(file, toLine(line));
  };
  const drop = async (line: object): Promise<void> => {
    if (noted === 0) return;
    noted -= 1;
    await (noted === 0 ? fs.remove(file) : fs.append(file, toLine(line)));
  };
  return {
    follow(pid, startTime, exit) {
      void enqueue(async () => {
        const time = await startTime;
        if (time === undefined) return;
        await add({ '+': pid, startTime: time });
        void exit.then(() => enqueue(() => drop({ '-': pid, startTime: time })));
      });
    },
    async settled() {
      for (let last; last !== work;) await (last = work);
    },
  };
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

async function reap({ fs, processes, clock, path }: LeftoversDeps): Promise<readonly NotedProcess[]> {
  if ((await fs.stat(path)) === undefined) return [];
  const names = (await fs.readDirectory(path))
    .map((entry) => entry.name)
    .filter((name) => /^\d+-[\w-]+\.jsonl$/u.test(name));
  const lives = async ({ pid, startTime }: NotedProcess): Promise<boolean> =>
    (await processes.startTimeOf(pid)) === startTime;
  const found: NotedProcess[] = [];
  const files: string[] = [];
  for (const name of names) {
    const file = join(path, name);
    const text = await fs.readText(file, maxNoteBytes).catch(() => undefined);
    // Its window has just removed it.
    if (text === undefined) continue;
    const note = readNote(text);
    if (note !== undefined && (await lives(note.owner))) continue;
    files.push(file);
    for (const each of note?.running ?? []) if (await lives(each)) found.push(each);
  }
  await endAll(found, processes, clock, lives);
  for (const file of files) await fs.remove(file);
  return found;
}

async function endAll(
  found: readonly NotedProcess[],
  processes: Processes,
  clock: Clock,
  lives: (each: NotedProcess) => Promise<boolean>,
): Promise<void> {
  if (found.length === 0) return;
  for (const { pid } of found) processes.killGroup(pid, 'SIGTERM');
  await new Promise<void>((resolve) => void clock.after(politeMs, resolve));
  for (const each of found) if (await lives(each)) processes.killGroup(each.pid, 'SIGKILL');
}

/** Undefined where it names no owner. A line that was cut off by a crash counts for nothing. */
function readNote(
  text: string,
): { readonly owner: NotedProcess; readonly running: readonly NotedProcess[] } | undefined {
  let owner: NotedProcess | undefined;
  let running: readonly NotedProcess[] = [];
  for (const line of text.split('\n')) {
    const value = parseJson(line);
    if (!isRecord(value) || typeof value['startTime'] !== 'string') continue;
    const { startTime } = value;
    const started = value['+'];
    const ended = value['-'];
    if (isPid(value['owner'])) owner = { pid: value['owner'], startTime };
    if (isPid(started)) running = [...running, { pid: started, startTime }];
    if (isPid(ended)) running = running.filter((each) => each.pid !== ended || each.startTime !== startTime);
  }
  return owner === undefined ? undefined : { owner, running };
}

function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 1;
}
