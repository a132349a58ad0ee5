// Threat: the name of a tenant or of a blob leads out of the folder, or a link in the folder does. So no name of either becomes
// a name of a file (a tenant's folder is a hash, a blob's id is ours), and links are not followed.
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { ifMissing } from '../../host/ifMissing.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { BlobMetadata, BlobReference, BlobStore } from '../dextoTypes.ts';
import type { BlobBackend } from './backends.ts';
import { toBytes, usualMaxBlobBytes, writeMetadata } from './blobContent.ts';
import { idIn, uriOf } from './blobNames.ts';
import { readJson } from './jsonText.ts';

interface FileBlobsOptions {
  readonly fs: FileSystem;
  /** Absolute path. */
  readonly folder: string;
  /** Of one blob. Default: `usualMaxBlobBytes`. */
  readonly maxBlobBytes?: number | undefined;
}

const ownerOnly = 0o600;

/**
 * Blobs as two files each: `<id>.bin` is the content, and `<id>.json` its size and metadata. A blob is there when both are: the
 * second is written last and goes first, each in one step, so nobody ever finds half a blob.
 */
export function createFileBlobs(options: FileBlobsOptions): BlobBackend {
  return { forScope: (scope) => createBlobs(options, folderNameOf(scope)) };
}

function createBlobs(options: FileBlobsOptions, tenant: string): BlobStore {
  const { fs, folder, maxBlobBytes = usualMaxBlobBytes } = options;
  const at = (id: string, kind: 'bin' | 'json'): { root: string; path: string } => ({
    root: folder,
    path: join(folder, tenant, `${id}.${kind}`),
  });
  const put = async (place: { root: string; path: string }, content: string | Uint8Array): Promise<void> => {
    await (await fs.stageExact(place, content, ownerOnly)).commit();
  };
  const describe = async (id: string): Promise<BlobReference | undefined> => {
    const bytes = await fs.readExact(at(id, 'json')).catch(ifMissing(undefined));
    return bytes === undefined ? undefined : readDescription(id, new TextDecoder().decode(bytes));
  };
  return Object.freeze<BlobStore>({
    async store(data, metadata) {
      const bytes = toBytes(data, maxBlobBytes);
      const json = writeMetadata(metadata);
      const id = randomUUID();
      await fs.makeDirectory(join(folder, tenant), 'private');
      await put(at(id, 'bin'), bytes);
      await put(at(id, 'json'), `{"size":${bytes.length},"metadata":${json}}`);
      return { id, uri: uriOf(id), size: bytes.length, metadata: readJson('metadata', json) as BlobMetadata };
    },
    async retrieve(reference) {
      const id = idIn(reference);
      const found = id === undefined ? undefined : await describe(id);
      if (found === undefined) return undefined;
      const data = await fs.readExact(at(found.id, 'bin')).catch(ifMissing(undefined));
      return data === undefined ? undefined : { data: Uint8Array.from(data), metadata: found.metadata };
    },
    async exists(reference) {
      const id = idIn(reference);
      return id !== undefined && (await describe(id)) !== undefined;
    },
    async delete(reference) {
      const id = idIn(reference);
      if (id === undefined || (await describe(id)) === undefined) return;
      await fs.removeExact(at(id, 'json'));
      await fs.removeExact(at(id, 'bin'));
    },
    async listBlobs() {
      const names = await fs.readDirectory(join(folder, tenant)).catch(ifMissing(undefined));
      const ids = (names ?? []).flatMap(({ name }) => idIn(name.replace(/\.json$/u, '')) ?? []);
      const found = await Promise.all(ids.map((id) => describe(id)));
      return found.filter((each) => each !== undefined);
    },
    isConnected: () => true,
    getStoreType: () => 'local',
  });
}

/** Any text gives a name that every file system takes, and no two the same. */
function folderNameOf(scope: string): string {
  return createHash('sha256').update(scope).digest('hex');
}

/** Undefined for what we did not write. */
function readDescription(id: string, json: string): BlobReference | undefined {
  const said = readJson(`blob ${id}`, json);
  if (!isRecord(said) || typeof said['size'] !== 'number' || !isRecord(said['metadata'])) return undefined;
  return { id, uri: uriOf(id), size: said['size'], metadata: said['metadata'] };
}
