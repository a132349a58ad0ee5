// Threat: what comes back from here is written into the workspace. Whatever is not exactly what was stored is as good as lost.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ifMissing } from '../host/ifMissing.ts';
import type { Clock, FileSystem } from '../host/ports.ts';

/** Contents of files by their SHA-256, each stored once. */
export interface BlobStore {
  /** Stores what is not there yet; it is on disk when this resolves. */
  put(hash: string, bytes: Uint8Array): Promise<void>;
  /** Undefined where it is not there or was damaged. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Removes what nothing refers to any more, but nothing young: another window may just be about to refer to it. */
  sweep(used: ReadonlySet<string>): Promise<void>;
}

/** How long something may lie here that no journal names yet. Milliseconds. */
const grace = 600_000;
const maxBlobBytes = 64_000_000;
const ours = /^[0-9a-f]{64}$|^\.pincer-[0-9a-f-]{36}\.tmp$/u;

export function createBlobStore(
  { fs, clock }: { readonly fs: FileSystem; readonly clock: Clock },
  folder: string,
): BlobStore {
  const fileOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  const isYoung = (mtimeMs: number, age: number): boolean => clock.now() - mtimeMs < age;
  return {
    async put(hash, bytes) {
      const stat = await fs.lstat(fileOf(hash));
      // An old one is written again, so that no other window sweeps it away before the journal names it.
      if (stat?.size === bytes.length && isYoung(stat.mtimeMs, grace / 2)) return;
      await fs.writeFile(fileOf(hash), bytes);
    },
    async get(hash) {
      const bytes = await readOrNothing(fs, fileOf(hash));
      return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
    },
    async sweep(used) {
      if ((await fs.stat(folder)) === undefined) return;
      for (const { name: part, kind } of await fs.readDirectory(folder)) {
        if (kind !== 'directory') continue;
        for (const { name } of await fs.readDirectory(join(folder, part))) {
          if (!ours.test(name) || used.has(name)) continue;
          const path = join(folder, part, name);
          const stat = await fs.lstat(path);
          if (stat !== undefined && !isYoung(stat.mtimeMs, grace)) await fs.remove(path);
        }
      }
    },
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function readOrNothing(fs: FileSystem, path: string): Promise<Uint8Array | undefined> {
  return await fs.readFile(path, maxBlobBytes).catch(ifMissing(undefined));
}
