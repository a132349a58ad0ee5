// Threat: the agent replaces work of the user that exists nowhere else, or is killed while it does. What a file holds is on the
// disk before the file is touched, under its hash and outside of the workspace, where no tool of the agent can write.
import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import type {
  CheckedPath,
  CheckpointLimits,
  Checkpoints,
  EncodeChange,
  RestoreOptions,
  RestorePlan,
  TakeBackUnsaved,
  RestoreItem,
  RestoreResult,
} from './checkpoints.ts';
import { createBlobStore, type BlobStore } from './createBlobStore.ts';
import { createJournal } from './createJournal.ts';
import { createRecorder, type Recorder } from './createRecorder.ts';
import { createWorkspacePlaces, type WorkspacePlaces } from './workspacePlaces.ts';
import { checkpointUnknown, checkpointStale, contentLost } from './checkpointErrors.ts';
import { contentsOf, type RecordedTurn } from './journalLines.ts';
import { planRestore } from './planRestore.ts';
import { recoverChange, recoveryFailed } from './recoverChanges.ts';
import { followFiles, summarizeTurn, statusOf } from './summarizeTurn.ts';

interface CheckpointDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** `<state>/checkpoints`; private to the user. */
  readonly folder: string;
  /** The path rules of the tools. What asks a person there is allowed here: a restore is their own command. */
  readonly checkPath: (path: string) => Promise<CheckedPath>;
  readonly owner: ProcessOwner;
  readonly encode: EncodeChange;
  /** Where a window has editors, which may hold unsaved what a killed process was about to write. */
  readonly takeBackUnsaved?: TakeBackUnsaved;
  /** Read when a turn has ended; default 100 turns, 200 MB. */
  readonly limits?: () => CheckpointLimits;
}

const defaults: CheckpointLimits = { maxTurns: 100, maxMegabytes: 200 };

export function createCheckpoints(deps: CheckpointDeps): Checkpoints {
  const { fs, clock, log, owner, encode } = deps;
  const blobs = createBlobStore({ fs, clock }, join(deps.folder, 'blobs'));
  const journal = createJournal(fs, join(deps.folder, 'turns'));
  const places = createWorkspacePlaces(fs, deps.checkPath);
  const recorder = createRecorder({ fs, clock, log, owner, encode, blobs, journal, places });
  const recovery = { fs, log, blobs, journal, places, takeBackUnsaved: deps.takeBackUnsaved };
  let pruning = Promise.resolve();

  /** Oldest first: each of these with the later ones of its session, but for `without`. */
  const turnsFrom = async (
    turnIds: readonly string[],
    without: readonly string[] = [],
  ): Promise<readonly RecordedTurn[]> => {
    const turns = await journal.read();
    const found = turnIds.flatMap((turnId) => {
      const start = turns.findIndex((turn) => turn.header.id === turnId);
      const sessionId = turns[start]?.header.sessionId;
      if (sessionId === undefined) throw checkpointUnknown(turnId);
      return turns.slice(start).filter((turn) => turn.header.sessionId === sessionId);
    });
    return turns.filter((turn) => found.includes(turn) && !without.includes(turn.header.id));
  };
  const planFrom = async (
    turnId: string,
    { also = [], without = [], unsaved = [] }: RestoreOptions,
  ): Promise<RestorePlan> => {
    const turns = await turnsFrom([turnId, ...also], without);
    const paths = new Set(turns.flatMap(pathsOf));
    const now = new Map(
      await Promise.all([...paths].map(async (path) => [path, await places.look(path)] as const)),
    );
    const items = planRestore(turns, now, new Set(unsaved));
    const sessionId = turns.find((turn) => turn.header.id === turnId)?.header.sessionId ?? '';
    return { turnId, sessionId, items };
  };
  /** Another window does not say which of its turns runs; it can only be the newest. */
  const mayRunElsewhere = async (
    turns: readonly RecordedTurn[],
    { header }: RecordedTurn,
  ): Promise<boolean> => {
    const newest = turns.findLast((turn) => turn.header.owner === header.owner);
    const isOwn = header.owner === (await owner.id());
    return !isOwn && newest?.header.id === header.id && (await owner.isAlive(header.owner));
  };
  const dropOld = async (): Promise<void> => {
    const turns = await journal.read();
    const dropped = new Set<RecordedTurn>();
    for (const turn of planPruning(turns, deps.limits?.() ?? defaults, new Set(recorder.running()))) {
      if (await mayRunElsewhere(turns, turn)) continue;
      await journal.remove(turn.header);
      dropped.add(turn);
    }
    const kept = turns.filter((turn) => !dropped.has(turn));
    await blobs.sweep(new Set(kept.flatMap(contentsOf).map((each) => each.hash)));
  };
  /** One after the other; a failure costs some space on the disk. */
  const prune = (): Promise<void> => {
    pruning = pruning
      .then(dropOld)
      .catch((error: unknown) =>
        log.write('warn', `Old checkpoints could not be dropped: ${errorMessage(error)}`),
      );
    return pruning;
  };

  return {
    async begin(changes, { part, turn }) {
      return await recorder.begin('turn', changes, { toolCallId: part.id, turn });
    },
    joinTurn: (runId, turn) => recorder.joinTurn(runId, turn),
    endTurn(runId) {
      if (recorder.endTurn(runId)) void prune();
    },
    async settled() {
      await recorder.settled();
      await pruning;
    },
    async list(sessionId) {
      const turns = (await journal.read()).map(summarizeTurn).reverse();
      return turns.filter(
        (turn) => turn.files.length > 0 && (sessionId === undefined || turn.sessionId === sessionId),
      );
    },
    planRestore: (turnId, options = {}) => planFrom(turnId, options),
    restore: (plan, { overwrite = [] } = {}) =>
      restoreFiles({ blobs, places, recorder }, plan, new Set(overwrite)),
    async contentBefore(turnId, path) {
      const [turn] = await turnsFrom([turnId]);
      const hash = followFiles(turn?.changes ?? []).find((story) => story.path === path)?.before;
      return hash === null || hash === undefined ? undefined : await blobs.get(hash);
    },
    async recover() {
      const found: Diagnostic[] = [];
      for (const { header, changes } of await journal.read()) {
        const open = changes.filter((change) => change.end === undefined);
        if (open.length === 0 || (await owner.isAlive(header.owner))) continue;
        for (const { begin } of open) {
          try {
            found.push(...(await recoverChange(recovery, header, begin)));
          } catch (error) {
            found.push(recoveryFailed(begin, error));
          }
        }
      }
      await prune();
      return found;
    },
  };
}

function pathsOf(turn: RecordedTurn): readonly string[] {
  return turn.changes.flatMap((change) => change.begin.files.map((file) => file.path));
}

/**
 * The turns that are too many: the newest that fit the limits stay, and so do those of `running` and those with a change that has
 * not ended: it may have to be taken back. `turns` are oldest first; contents that several turns share count once. Pure.
 */
function planPruning(
  turns: readonly RecordedTurn[],
  limits: CheckpointLimits,
  running: ReadonlySet<string>,
): readonly RecordedTurn[] {
  const kept = new Set<string>();
  let bytes = 0;
  let count = 0;
  let isFull = false;
  const dropped: RecordedTurn[] = [];
  for (const turn of turns.toReversed()) {
    const fresh = new Map(contentsOf(turn).map((each) => [each.hash, each.bytes]));
    const added = [...fresh].reduce((sum, [hash, size]) => (kept.has(hash) ? sum : sum + size), 0);
    isFull ||= count >= limits.maxTurns || bytes + added > limits.maxMegabytes * 1_000_000;
    const isOpen = turn.changes.some((change) => change.end === undefined);
    if (isFull && !isOpen && !running.has(turn.header.id)) {
      dropped.push(turn);
      continue;
    }
    count += 1;
    bytes += added;
    for (const hash of fresh.keys()) kept.add(hash);
  }
  return dropped;
}

interface RestoreParts {
  readonly blobs: BlobStore;
  readonly places: WorkspacePlaces;
  readonly recorder: Recorder;
}

/** Carries out a plan, all of it or nothing, and records it like any other change, so that it can be undone. */
async function restoreFiles(
  { blobs, places, recorder }: RestoreParts,
  plan: RestorePlan,
  overwrite: ReadonlySet<string>,
): Promise<RestoreResult> {
  const items = plan.items.filter((item) => isMeant(item, overwrite));
  if (items.length === 0) return { turnId: undefined, restored: [] };
  const contents = await Promise.all(
    items.map(async ({ path, label, target, mode }) => {
      const bytes = target === null ? null : await blobs.get(target);
      if (bytes === undefined) throw contentLost(label);
      return { path, bytes, ...(mode === undefined ? {} : { mode }) };
    }),
  );
  const runId = crypto.randomUUID();
  const call = { toolCallId: runId, turn: { runId, sessionId: plan.sessionId } };
  try {
    const pending = await recorder.begin('restore', contents, call);
    try {
      // Last, so that nothing comes between: what was written in the meantime is nobody's to overwrite.
      await Promise.all(items.map((item) => requireSame(places, item)));
      await places.write(contents);
    } catch (error) {
      await pending.failed();
      throw error;
    }
    await pending.done();
  } finally {
    recorder.endTurn(runId);
  }
  const restored = items.flatMap(({ path, label, current, target }) => {
    const status = statusOf(current, target);
    return status === undefined ? [] : [{ path, label, status }];
  });
  return { turnId: runId, restored };
}

function isMeant({ path, obstacle }: RestoreItem, overwrite: ReadonlySet<string>): boolean {
  return obstacle === undefined || (obstacle.kind !== 'refused' && overwrite.has(path));
}

async function requireSame(places: WorkspacePlaces, { path, label, current }: RestoreItem): Promise<void> {
  const now = await places.look(path);
  if (!('hash' in now) || now.hash !== current) throw checkpointStale(label);
}
