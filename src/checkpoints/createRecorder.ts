import { createSerialQueue } from '../base/createSerialQueue.ts';
import { dirname } from 'node:path';
import type { Turn } from '../contracts/tool.ts';
import type { Clock, ExactPath, FileSystem } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import type { EncodeChange, PendingChange, PlannedChange } from './checkpoints.ts';
import { hashOf } from './createBlobStore.ts';
import { checkpointFailed } from './checkpointErrors.ts';
import type { BeginLine, RecordedFile, TurnHeader } from './journalLines.ts';
import { endChange, undoChange, type RecoveryParts } from './recoverChanges.ts';

/** Bytes that a file is going to hold; null where it goes. */
interface IntendedBytes {
  readonly path: string;
  readonly bytes: Uint8Array | null;
}

interface RecorderParts extends RecoveryParts {
  readonly clock: Clock;
  readonly owner: ProcessOwner;
  readonly encode: EncodeChange;
}

type TurnOfRun = Pick<Turn, 'runId' | 'sessionId'>;

/** Writes down what is going to happen to files, before it does. */
export interface Recorder {
  begin(
    kind: TurnHeader['kind'],
    files: readonly (PlannedChange | IntendedBytes)[],
    call: { readonly toolCallId: string; readonly turn: TurnOfRun },
  ): Promise<PendingChange>;
  /** Ids of the turns of this process that have not ended. */
  running(): readonly string[];
  /** What the run changes counts to this turn. */
  joinTurn(runId: string, turn: TurnOfRun): void;
  /** True where a turn that has changed something is over with it. */
  endTurn(runId: string): boolean;
  /** Resolves when no change is under way. */
  settled(): Promise<void>;
}

export function createRecorder(parts: RecorderParts): Recorder {
  const { clock, owner, journal } = parts;
  const turns = new Map<string, TurnHeader>();
  /** Runs that count to the turn of another one. */
  const joined = new Map<string, TurnOfRun>();
  /** Turns whose own run has ended before one that counts to them. */
  const ended = new Set<string>();
  let lastStart = 0;
  /** One line after the other: each rewrites the file with what is there. */
  const inOrder = createSerialQueue();
  const headerOf = async (kind: TurnHeader['kind'], id: string, sessionId: string): Promise<TurnHeader> => {
    const own = await owner.id();
    const known = turns.get(id);
    if (known !== undefined) return known;
    // Two turns of one millisecond keep their order.
    lastStart = Math.max(clock.now(), lastStart + 1);
    const startedAt = lastStart;
    const header = { type: 'turn', version: 1, id, kind, sessionId, startedAt, owner: own } as const;
    turns.set(id, header);
    return header;
  };

  const open = createOpenChanges();
  return {
    begin: (kind, files, { toolCallId, turn: own }) =>
      open.follow(async () => {
        const turn = joined.get(own.runId) ?? own;
        const header = await headerOf(kind, turn.runId, turn.sessionId);
        const kept = await keep(parts, files);
        const begin: BeginLine = {
          type: 'begin',
          id: crypto.randomUUID(),
          toolCallId,
          at: clock.now(),
          files: kept.map((each) => each.file),
        };
        try {
          await inOrder(() => journal.begin(header, begin));
          await putAll(
            parts,
            kept.flatMap((each) => each.contents),
          );
        } catch (error) {
          throw checkpointFailed(error);
        }
        return {
          async done() {
            const written = await Promise.all(begin.files.map((file) => hashNow(parts, file)));
            await inOrder(() => endChange(parts, header, begin, 'done', written));
          },
          failed: () => inOrder(() => undoChange(parts, header, begin)),
        };
      }),
    settled: () => open.settled(),
    running: () => [...turns.keys()],
    joinTurn: (runId, turn) => void joined.set(runId, turn),
    endTurn(runId) {
      const turnId = joined.get(runId)?.runId ?? runId;
      joined.delete(runId);
      if (turnId === runId) ended.add(turnId);
      const isOver = ended.has(turnId) && ![...joined.values()].some((turn) => turn.runId === turnId);
      return isOver && ended.delete(turnId) && turns.delete(turnId);
    },
  };
}

interface KeptFile {
  readonly file: RecordedFile;
  readonly contents: readonly KeptContent[];
}

interface KeptContent {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

async function keep(
  parts: RecorderParts,
  files: readonly (PlannedChange | IntendedBytes)[],
): Promise<readonly KeptFile[]> {
  const kept = await Promise.all(files.map((file) => describe(parts, file)));
  try {
    await putAll(
      parts,
      kept.flatMap((each) => each.contents),
    );
  } catch (error) {
    throw checkpointFailed(error);
  }
  return kept;
}

async function describe(parts: RecorderParts, change: PlannedChange | IntendedBytes): Promise<KeptFile> {
  const { path } = change;
  const { place, label } = await parts.places.require(path);
  const disk = await parts.places.read(place);
  const mode = disk === null ? undefined : (await parts.fs.lstat(place.path))?.mode;
  const newFolder = disk === null ? await missingFolder(parts.fs, place) : undefined;
  const { before, after } =
    'bytes' in change ? { before: disk, after: change.bytes } : await encodeTexts(parts, change, disk);
  // An editor may hold something else than the disk does.
  const unsaved = hashOrNull(before) === hashOrNull(disk) ? undefined : before;
  const contents = [disk, unsaved].flatMap((bytes) =>
    bytes === null || bytes === undefined ? [] : [{ hash: hashOf(bytes), bytes }],
  );
  return {
    file: {
      path,
      label,
      disk: hashOrNull(disk),
      ...(unsaved === undefined ? {} : { unsaved: hashOrNull(unsaved) }),
      after: hashOrNull(after),
      bytes: Math.max(0, ...contents.map((each) => each.bytes.length)),
      ...(mode === undefined ? {} : { mode }),
      ...(newFolder === undefined ? {} : { newFolder }),
    },
    contents,
  };
}

async function missingFolder(fs: FileSystem, { root, path }: ExactPath): Promise<string | undefined> {
  let missing: string | undefined;
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if ((await fs.lstat(folder)) !== undefined) break;
    missing = folder;
  }
  return missing;
}

async function encodeTexts(
  { places, encode }: RecorderParts,
  change: PlannedChange,
  disk: Uint8Array | null,
): Promise<ReturnType<EncodeChange>> {
  const { like } = change;
  if (disk !== null || like === undefined) return encode(change, disk);
  return encode(change, await places.read((await places.require(like)).place));
}

function hashOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : hashOf(bytes);
}

/** Nothing is being written any more once this settles, also where one of the writes fails. */
async function putAll({ blobs }: RecorderParts, contents: readonly KeptContent[]): Promise<void> {
  const puts = contents.map(({ hash, bytes }) => blobs.put(hash, bytes));
  await Promise.allSettled(puts);
  await Promise.all(puts);
}

async function hashNow({ places }: RecorderParts, file: RecordedFile): Promise<string | null> {
  const now = await places.look(file.path);
  return 'hash' in now ? now.hash : file.after;
}

/** Changes that are under way: a cancel lets go of their call, and an ending process would leave them half made. */
interface OpenChanges {
  /** The change counts from now on, until it has ended or could not begin. */
  follow(begin: () => Promise<PendingChange>): Promise<PendingChange>;
  /** Resolves when those that are under way have ended. */
  settled(): Promise<void>;
}

function createOpenChanges(): OpenChanges {
  const open = new Set<Promise<void>>();
  return {
    async follow(begin) {
      let resolveEnded: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
      open.add(ended);
      const end = (): void => {
        open.delete(ended);
        resolveEnded();
      };
      const ending = (work: () => Promise<void>): Promise<void> => work().finally(end);
      try {
        const pending = await begin();
        return { done: () => ending(() => pending.done()), failed: () => ending(() => pending.failed()) };
      } catch (error) {
        end();
        throw error;
      }
    },
    async settled() {
      await Promise.all(open);
    },
  };
}
