// Threat: an endless loop in a hook, a tool or an extension point stops the whole process, and does so again after each start. So
// a call is marked on disk before it, and the mark goes when the call has come back. Where a process has ended with a mark left,
// the call never came back: after two of them it is not made any more. A window that is killed at the wrong moment leaves one, too,
// and that must not switch a guard off. The marks are written at once, without waiting: after the call nothing may run any more.
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorMessage, PincerError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { isThenable, whenSettled } from '../base/untrusted.ts';
import type { Clock } from '../host/ports.ts';
import { isProcessAlive } from './createHangGuard.ts';
import { errorDiagnostic, warnDiagnostic } from './pluginDiagnostics.ts';

/** Calls code of one plugin. `what` names the hook, tool or point. @throws PincerError `plugin_call_hung`, without calling */
export type CallPlugin = <T>(what: string, work: () => T) => T;

/** Notices calls of plugins that never come back. */
export interface CallGuard {
  /** For one version of a plugin: `content` stands for it, and another one begins anew. */
  callsOf(id: string, content: string): CallPlugin;
  /** Lets the calls of this plugin be tried again; of all where no id is given. */
  forgive(id?: string): void;
  /** Takes the marks of this process away. */
  close(): void;
}

interface CallGuardParts {
  readonly clock: Clock;
  readonly stateDir: string;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Default: asks the system. */
  readonly isAlive?: (pid: number) => boolean;
}

/** Calls without marks: for bundled plugins, which are part of the program. */
export const callAtOnce: CallPlugin = (_, work) => work();

const callSchema = z.object({
  id: z.string(),
  hash: z.string(),
  what: z.string(),
  at: z.number(),
  /** It has returned a promise: what hangs is something else, unless nothing else is open. */
  waits: z.boolean().optional(),
});
/** `origin` is when the process began: another one may have its number by now. */
const fileSchema = z.object({ pid: z.int(), origin: z.number(), calls: z.array(callSchema) });
type Call = z.infer<typeof callSchema>;

const ownProcess = { pid: process.pid, origin: performance.timeOrigin };
const marksOfAHang = 2;
/** Code that waits has returned to the event loop: it does not hang. */
const yieldAfterMs = 1_000;
/** A window that has a mark for longer than this hangs itself. */
const othersTimeoutMs = 90_000;

/** Keeps the open calls of this process in a file of its own below `<stateDir>/calls`. Nothing is read before the first call. */
export function createCallGuard(parts: CallGuardParts): CallGuard {
  const { clock, report, isAlive = isProcessAlive } = parts;
  const folder = join(parts.stateDir, 'calls');
  const file = join(folder, `${randomUUID()}.json`);
  const open = new Set<Call>();
  let left: readonly UnfinishedCalls[] | undefined;
  let handle: number | undefined;
  let isBroken = false;

  const write = (): void => {
    if (isBroken) return;
    try {
      if (handle === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
      handle ??= openSync(file, 'w', 0o600);
      const text = JSON.stringify({ ...ownProcess, calls: [...open] });
      writeSync(handle, text, 0);
      ftruncateSync(handle, Buffer.byteLength(text));
    } catch (error) {
      isBroken = true;
      const message = `Calls of plugins can not be marked in ${folder}: ${errorMessage(error)}`;
      report(
        warnDiagnostic('plugin_marks_unwritten', message, { hint: 'A plugin that hangs is not skipped.' }),
      );
    }
  };

  const marksLeft = (): readonly UnfinishedCalls[] => (left ??= readLeft(folder, clock.now(), isAlive));
  const countOf = (call: Pick<Call, 'id' | 'hash' | 'what'>): number =>
    marksLeft()
      .flatMap(({ calls }) => calls)
      .filter((each) => isSame(each, call)).length;
  /** What has come back once is not blamed for what was left before. */
  const forget = (isMeant: (call: Call) => boolean): void => {
    for (const { path, calls } of marksLeft()) if (calls.some(isMeant)) removeQuietly(path);
    left = marksLeft()
      .map((each) => ({ ...each, calls: each.calls.filter((call) => !isMeant(call)) }))
      .filter(({ calls }) => calls.length > 0);
  };

  const begin = (call: Call): void => {
    open.add(call);
    write();
  };
  const end = (call: Call): void => {
    if (open.delete(call)) write();
  };

  return {
    callsOf(id, content) {
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
      return <T>(what: string, work: () => T): T => {
        const key = { id, hash, what };
        const count = countOf(key);
        if (count >= marksOfAHang) {
          const problem = hung(id, what);
          report(problem);
          throw new PincerError(problem.code, problem.message, { hint: problem.hint ?? '' });
        }
        const call: Call = { ...key, at: clock.now() };
        const returned = (): void => {
          end(call);
          if (count > 0) forget((each) => isSame(each, key));
        };
        begin(call);
        try {
          const result = work();
          if (isThenable(result)) {
            call.waits = true;
            write();
            const cancel = clock.after(yieldAfterMs, returned);
            const settled = (): void => {
              cancel();
              returned();
            };
            whenSettled(result, settled, settled);
          } else returned();
          return result;
        } catch (error) {
          returned();
          throw error;
        }
      };
    },
    forgive: (id) => forget((each) => id === undefined || each.id === id),
    close() {
      if (handle === undefined) return;
      closeSync(handle);
      rmSync(file, { force: true });
      isBroken = true;
    },
  };
}

/** Calls that a process has not come back from. */
interface UnfinishedCalls {
  readonly path: string;
  readonly calls: readonly Call[];
}

function readLeft(
  folder: string,
  now: number,
  isAlive: (pid: number) => boolean,
): readonly UnfinishedCalls[] {
  return namesIn(folder).flatMap((name): readonly UnfinishedCalls[] => {
    const path = join(folder, name);
    const read = fileSchema.safeParse(parseJson(textOf(path)));
    if (!read.success) return [];
    const { pid, origin } = read.data;
    const isGone = pid === ownProcess.pid ? origin !== ownProcess.origin : !isAlive(pid);
    const calls = blamed(read.data.calls).filter(({ at }) => isGone || now - at > othersTimeoutMs);
    if (calls.length > 0) return [{ path, calls }];
    if (isGone) removeQuietly(path);
    return [];
  });
}

/** The innermost call that had not returned; where all of them had returned a promise, it may be any of them. */
function blamed(calls: readonly Call[]): readonly Call[] {
  const running = calls.filter(({ waits }) => waits !== true);
  return running.length === 0 ? calls : running.slice(-1);
}

/** What can't be removed is in nobody's way. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    // A folder that can't be written: it counts for nothing here any more, and another process will try again.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none before the first call of all, and what can't be read blames nobody.
    return [];
  }
}

/** Another window may have taken it away by now. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isSame(a: Pick<Call, 'id' | 'hash' | 'what'>, b: Pick<Call, 'id' | 'hash' | 'what'>): boolean {
  return a.id === b.id && a.hash === b.hash && a.what === b.what;
}

function hung(id: string, what: string): Diagnostic {
  const message = `plugin ${id} did not return from ${what} the last two times; it is not called`;
  return errorDiagnostic('plugin_call_hung', message, {
    pluginId: id,
    hint: 'It may loop forever. Change it, or reload it to try once more.',
    fixes: [{ kind: 'reload-plugin', pluginId: id }],
  });
}
