import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { FileSystem, Log } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import { isSessionId } from './sessionIds.ts';

/** A session that a dead process left open. */
export interface OrphanedSession {
  readonly sessionId: string;
  /** When it began there, in milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Which sessions are open in which process, on disk: `open/<session>.<process>.json`. What a killed process had open is found by
 * the next one; what another living window has open is left alone.
 */
export interface OpenSessions {
  /** The session began in this process. Never rejects: a mark that can't be written only means that a crash goes unnoticed. */
  mark(sessionId: string, since: number): Promise<void>;
  /** It ended here. Never rejects. */
  release(sessionId: string): Promise<void>;
  /** True while another living process has it open. */
  isOpenElsewhere(sessionId: string): Promise<boolean>;
  /**
   * Takes the marks of dead processes, none of them twice however many processes ask. A session that is still open in a
   * living one is not orphaned. Never rejects.
   */
  takeOrphaned(): Promise<readonly OrphanedSession[]>;
}

interface OpenSessionsInput {
  readonly fs: FileSystem;
  readonly log: Log;
  readonly owner: ProcessOwner;
  /** Of this process; names its marks. */
  readonly pid: number;
  /** Absolute: `<state>/open`. */
  readonly folder: string;
}

interface Mark extends OrphanedSession {
  readonly path: string;
  readonly owner: string;
}

const maxMarkBytes = 4_096;

export function createOpenSessions({ fs, log, owner, pid, folder }: OpenSessionsInput): OpenSessions {
  const pathOf = (sessionId: string): string => join(folder, `${sessionId}.${pid}.json`);
  let queue = Promise.resolve();

  /** One change after the other: a release must not overtake its mark. */
  const inOrder = (what: string, work: () => Promise<void>): Promise<void> =>
    (queue = queue.then(work).catch((error: unknown) => {
      log.write('warn', `${what}: ${errorMessage(error)}`);
    }));

  const readMark = async (name: string): Promise<Mark | undefined> => {
    const sessionId = name.split('.')[0] ?? '';
    if (!isSessionId(sessionId) || !name.endsWith('.json')) return undefined;
    const path = join(folder, name);
    // Whoever released it meanwhile has taken the file away.
    const value = parseJson(await fs.readText(path, maxMarkBytes).catch(() => ''));
    if (!isRecord(value) || typeof value['owner'] !== 'string' || typeof value['since'] !== 'number')
      return undefined;
    return { sessionId, path, owner: value['owner'], since: value['since'] };
  };
  const marks = async (sessionId?: string): Promise<readonly Mark[]> => {
    if ((await fs.stat(folder)) === undefined) return [];
    const names = (await fs.readDirectory(folder)).map(({ name }) => name);
    const asked = sessionId === undefined ? names : names.filter((name) => name.startsWith(`${sessionId}.`));
    return (await Promise.all(asked.map(readMark))).filter((mark) => mark !== undefined);
  };

  /** Whoever makes the claim first has it; one who died with it in hand is followed by the next start. */
  const claim = async (mark: Mark): Promise<boolean> => {
    const path = `${mark.path}.claim`;
    if (await fs.createFile(path, await owner.id())) {
      // Who had it before takes the mark away first: without a mark there is nothing left to take.
      if ((await fs.stat(mark.path)) !== undefined) return true;
      await fs.remove(path);
      return false;
    }
    // An empty one is what a power cut has left of it.
    const holder = await fs.readText(path, maxMarkBytes).catch(() => undefined);
    if (holder !== undefined && !(await owner.isAlive(holder))) await fs.remove(path);
    return false;
  };

  const takeOrphaned = async (): Promise<readonly OrphanedSession[]> => {
    const all = await marks();
    const alive = await Promise.all(all.map((mark) => owner.isAlive(mark.owner)));
    const stillOpen = new Set(all.filter((_, index) => alive[index] === true).map((mark) => mark.sessionId));
    const orphaned = new Map<string, OrphanedSession>();
    for (const [index, mark] of all.entries()) {
      if (alive[index] === true || !(await claim(mark))) continue;
      const { sessionId, since } = mark;
      if (!stillOpen.has(sessionId)) orphaned.set(sessionId, { sessionId, since });
      await fs.remove(mark.path);
      await fs.remove(`${mark.path}.claim`);
    }
    return [...orphaned.values()];
  };

  return {
    mark: (sessionId, since) =>
      inOrder('That a session is open could not be noted', async () => {
        const content = JSON.stringify({ owner: await owner.id(), since });
        await fs.writeFile(pathOf(sessionId), content);
      }),
    release: (sessionId) =>
      inOrder('That a session is closed could not be noted', () => fs.remove(pathOf(sessionId))),
    async isOpenElsewhere(sessionId) {
      const others = (await marks(sessionId)).filter(({ path }) => path !== pathOf(sessionId));
      return (await Promise.all(others.map((mark) => owner.isAlive(mark.owner)))).includes(true);
    },
    async takeOrphaned() {
      try {
        return await takeOrphaned();
      } catch (error) {
        log.write('warn', `Sessions that a crash left open could not be looked up: ${errorMessage(error)}`);
        return [];
      }
    },
  };
}
