// Threat: the paths come out of a file. A record must not become a way to write where a tool may not, so each goes through the
// path rules again, and it is read and written only where it really lies.
import { errorMessage, PincerError } from '../base/errors.ts';
import { ifMissing } from '../host/ifMissing.ts';
import type { ExactPath, FileSystem, StagedFile } from '../host/ports.ts';
import { hashOf } from './createBlobStore.ts';
import type { CheckedPath } from './checkpoints.ts';
import type { CurrentFile } from './planRestore.ts';

/** Files of the workspace as bytes. */
export interface WorkspacePlaces {
  /** @throws PincerError `path_refused` */
  require(path: string): Promise<Extract<CheckedPath, { kind: 'allowed' }>>;
  /** Null where there is no file. @throws PincerError `io_*` */
  read(place: ExactPath): Promise<Uint8Array | null>;
  /** What a file holds, by its hash; never rejects. */
  look(path: string): Promise<CurrentFile>;
  /** Rejects at the first file that fails; those before it are written. */
  write(files: readonly NewContent[]): Promise<void>;
}

/** Null removes the file. */
interface NewContent {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  /** Permission bits of a file that is not there now; one that is keeps its own. */
  readonly mode?: number;
}

/** More than any tool writes. */
const maxFileBytes = 64_000_000;

export function createWorkspacePlaces(
  fs: FileSystem,
  checkPath: (path: string) => Promise<CheckedPath>,
): WorkspacePlaces {
  const requirePlace: WorkspacePlaces['require'] = async (path) => {
    const checked = await checkPath(path);
    if (checked.kind === 'allowed') return checked;
    throw new PincerError('path_refused', `${path} may not be written: ${checked.reason}`);
  };
  const read = (place: ExactPath): Promise<Uint8Array | null> =>
    fs.readExact(place, maxFileBytes).catch(ifMissing(null));
  return {
    require: requirePlace,
    read,
    async look(path) {
      try {
        const bytes = await read((await requirePlace(path)).place);
        return { hash: bytes === null ? null : hashOf(bytes) };
      } catch (error) {
        return { refused: errorMessage(error) };
      }
    },
    async write(files) {
      const steps = await Promise.all(
        files.map(async (file) => ({ ...file, place: (await requirePlace(file.path)).place })),
      );
      const staged: StagedFile[] = [];
      try {
        // Everything that can run out of space happens before the first file changes.
        for (const { place, bytes, mode } of steps)
          if (bytes !== null) staged.push(await fs.stageExact(place, bytes, mode));
        for (const file of staged) await file.commit();
        for (const { place, bytes } of steps) if (bytes === null) await fs.removeExact(place);
      } finally {
        // What was put into place is no longer there to be discarded.
        await Promise.allSettled(staged.map((file) => file.discard()));
      }
    },
  };
}
