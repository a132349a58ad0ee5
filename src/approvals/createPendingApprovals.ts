// Threat: a question that was open when the window ended comes back as an answer. What is kept here can only be listed and
// asked again: neither parameters nor decisions are stored, and the hash says whether the later call is the same one.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { errorMessage } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';

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
  version: z.literal(1),
  owner: z.object({ pid: z.number(), startTime: z.string().optional() }),
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
  /** Takes one off the list; false where another window was faster. */
  take(id: string): Promise<boolean>;
  /** Resolves when everything so far is on disk. */
  flush(): Promise<void>;
}

export interface PendingApprovalsDeps {
  readonly fs: FileSystem;
  /** Absolute path; one file a window lies there. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly pid: number;
  /** What the system says of the start of a process; undefined where there is none. Tells a window from a later process. */
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
}

const maxFileBytes = 1_000_000;
const maxAgeMs = 7 * 24 * 60 * 60 * 1_000;

export function createPendingApprovals(deps: PendingApprovalsDeps): PendingApprovals {
  const { fs, folder, log, pid } = deps;
  const ownFile = join(folder, `${String(pid)}-${randomUUID()}.json`);
  let own: readonly InterruptedApproval[] = [];
  let ownStart: Promise<string | undefined> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

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
    const startTime = await (ownStart ??= deps.startTimeOf(pid));
    await write(ownFile, { pid, ...(startTime === undefined ? {} : { startTime }) }, own);
  };
  const write = (
    file: string,
    owner: PendingFile['owner'],
    pending: readonly InterruptedApproval[],
  ): Promise<void> => fs.writeFile(file, `${JSON.stringify({ version: 1, owner, pending })}\n`, 'private');

  /** The files of windows that have ended; broken ones are removed. */
  const leftBehind = async (): Promise<
    readonly { readonly file: string; readonly content: PendingFile }[]
  > => {
    if ((await fs.stat(folder)) === undefined) return [];
    const names = (await fs.readDirectory(folder)).map((entry) => entry.name);
    const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
    const found: { readonly file: string; readonly content: PendingFile }[] = [];
    for (const file of files.filter((each) => each !== ownFile)) {
      const content = await readPending(fs, file);
      if (content === undefined) await fs.remove(file);
      else if (!(await isAlive(content.owner))) found.push({ file, content });
    }
    return found;
  };
  const isAlive = async ({ pid: owner, startTime }: PendingFile['owner']): Promise<boolean> => {
    const now = await deps.startTimeOf(owner);
    return now !== undefined && (startTime === undefined || startTime === now);
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
        const all = (await leftBehind()).flatMap(({ content }) => content.pending);
        return all.filter((each) => each.createdAt >= oldest).sort((a, b) => a.createdAt - b.createdAt);
      }, []),
    take: (id) =>
      inTurn(async () => {
        for (const { file, content } of await leftBehind()) {
          if (!content.pending.some((each) => each.id === id)) continue;
          const others = content.pending.filter((each) => each.id !== id);
          await (others.length === 0 ? fs.remove(file) : write(file, content.owner, others));
          return true;
        }
        return false;
      }, false),
    async flush() {
      await queue;
    },
  };
}

async function readPending(fs: FileSystem, file: string): Promise<PendingFile | undefined> {
  const parsed = fileSchema.safeParse(parseJson(await fs.readText(file, maxFileBytes)));
  return parsed.success ? parsed.data : undefined;
}
