// Threat: a question that was open when the window ended comes back as an answer. What is kept here can only be listed and
// asked again: neither parameters nor decisions are stored, and the hash says whether the later call is the same one.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';

const interruptedSchema = z.object({
  id: z.string().min(1),
  sessionId: z.string(),
  toolName: z.string(),
  callHash: z.string(),
  title: z.string(),
  description: z.string(),
  askers: z.array(z.string()),
  severity: z.enum(['info', 'warning', 'critical']),
  createdAt: z.number(),
});

/** A question that was open when its window ended. */
export type InterruptedApproval = Readonly<z.infer<typeof interruptedSchema>>;

const fileSchema = z.object({
  version: z.literal(2),
  /** Absent once its window has said that it ends: the process may be there for a while. */
  owner: z.string().optional(),
  pending: z.array(interruptedSchema),
});

type PendingFile = z.infer<typeof fileSchema>;

/** The open questions of this window on disk, and those that ended windows left behind. Nothing here rejects. */
export interface PendingApprovals {
  add(request: ApprovalRequest, sessionId: string): void;
  /** It was answered. What is open when the window ends is never removed: that is how it is found again. */
  remove(id: string): void;
  /** Oldest first. A question of a window that lives is not among them. */
  interrupted(): Promise<readonly InterruptedApproval[]>;
  /** A window that lived when `interrupted` was read has ended, or has no question open any more. */
  readonly onDidChange: Event<void>;
  /** Takes one off the list; false where another window was faster. */
  take(id: string): Promise<boolean>;
  /** This window ends: what is open is left to the others. Resolves when that is on disk. */
  close(): Promise<void>;
}

interface PendingApprovalsDeps {
  readonly fs: FileSystem;
  /** Absolute path; one file a window lies there. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Of this process; names its file. */
  readonly pid: number;
  readonly owner: ProcessOwner;
  /** Told of a file that can't be read. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

const maxFileBytes = 1_000_000;
const maxAgeMs = 7 * 24 * 60 * 60 * 1_000;
/** How soon windows that live are looked at again; each look waits twice as long as the one before. Milliseconds. */
const firstLook = 1_000;
const lastLook = 60_000;

export function createPendingApprovals(deps: PendingApprovalsDeps): PendingApprovals {
  const { fs, folder, log, pid } = deps;
  const ownFile = join(folder, `${String(pid)}-${randomUUID()}.json`);
  let own: readonly InterruptedApproval[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  const changed: Emitter<void> = createEmitter();
  let stopLooking = (): void => undefined;
  let isClosed = false;

  const inTurn = <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    const done = queue.then(work).catch((error: unknown) => {
      log.write('warn', `[approvals] what waits could not be kept in ${folder}: ${errorMessage(error)}`);
      return otherwise;
    });
    queue = done;
    return done;
  };
  const save = async (): Promise<void> => {
    if (own.length === 0) {
      await fs.remove(ownFile);
      return;
    }
    await write(ownFile, isClosed ? undefined : await deps.owner.id(), own);
  };
  const write = (
    file: string,
    owner: PendingFile['owner'],
    pending: readonly InterruptedApproval[],
  ): Promise<void> => fs.writeFile(file, `${JSON.stringify({ version: 2, owner, pending })}\n`, 'private');

  /** The files of windows that have ended, and the names of those of others that live; broken ones are removed. */
  const look = async (): Promise<{
    readonly left: readonly { readonly file: string; readonly content: PendingFile }[];
    readonly living: readonly string[];
  }> => {
    if ((await fs.stat(folder)) === undefined) return { left: [], living: [] };
    const names = (await fs.readDirectory(folder)).map((entry) => entry.name);
    const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
    const left: { readonly file: string; readonly content: PendingFile }[] = [];
    const living: string[] = [];
    for (const file of files.filter((each) => each !== ownFile)) {
      const content = await readPending(fs, file);
      if (content === 'gone') continue;
      if (content === 'unreadable') {
        await fs.remove(file).catch(() => undefined);
        deps.report?.(unreadableState(file, 'Questions that an ended window left open are lost', resumeHint));
      } else if (content.owner !== undefined && (await deps.owner.isAlive(content.owner))) living.push(file);
      else left.push({ file, content });
    }
    return { left, living };
  };
  /** The window before a reload may outlive the first look, and one that has lost its user may live for hours. */
  const lookAgain = (before: readonly string[], wait: number): void => {
    stopLooking();
    if (before.length === 0 || isClosed) return;
    stopLooking = deps.clock.after(wait, () => {
      void inTurn(async () => {
        const { living } = await look();
        if (before.every((file) => living.includes(file))) lookAgain(before, Math.min(2 * wait, lastLook));
        else changed.fire();
      }, undefined);
    });
  };

  return {
    add({ id, toolName, callHash, title, description, askers, severity, createdAt }, sessionId) {
      const entry = { id, sessionId, toolName, callHash, title, description, severity, createdAt };
      own = [...own, { ...entry, askers: [...askers] }];
      void inTurn(save, undefined);
    },
    remove(id) {
      if (!own.some((each) => each.id === id)) return;
      own = own.filter((each) => each.id !== id);
      void inTurn(save, undefined);
    },
    interrupted: () =>
      inTurn(async () => {
        const oldest = deps.clock.now() - maxAgeMs;
        const { left, living } = await look();
        lookAgain(living, firstLook);
        const all = left.flatMap(({ content }) => content.pending);
        return all.filter((each) => each.createdAt >= oldest).sort((a, b) => a.createdAt - b.createdAt);
      }, []),
    onDidChange: changed.event,
    take: (id) =>
      inTurn(async () => {
        for (const { file, content } of (await look()).left) {
          if (!content.pending.some((each) => each.id === id)) continue;
          const others = content.pending.filter((each) => each.id !== id);
          await (others.length === 0 ? fs.remove(file) : write(file, content.owner, others));
          return true;
        }
        return false;
      }, false),
    async close() {
      isClosed = true;
      stopLooking();
      await inTurn(save, undefined);
    },
  };
}

const resumeHint = 'Resume the turn, and it asks again.';

async function readPending(fs: FileSystem, file: string): Promise<PendingFile | 'gone' | 'unreadable'> {
  try {
    const parsed = fileSchema.safeParse(parseJson(await fs.readText(file, maxFileBytes)));
    return parsed.success ? parsed.data : 'unreadable';
  } catch (error) {
    // Another window has just removed it.
    return error instanceof PincerError && error.code === 'io_not_found' ? 'gone' : 'unreadable';
  }
}
