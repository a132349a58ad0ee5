import { randomUUID } from 'node:crypto';
import type { BlobMetadata, BlobReference, BlobStore } from '../dextoTypes.ts';
import type { BlobBackend } from './backends.ts';
import { toBytes, usualMaxBlobBytes, writeMetadata } from './blobContent.ts';
import { idIn, uriOf } from './blobNames.ts';
import { readJson } from './jsonText.ts';

interface Entry {
  readonly data: Uint8Array;
  readonly metadata: string;
}

/** Blobs that go with the process. */
export function createInMemoryBlobs(): BlobBackend {
  const scopes = new Map<string, Map<string, Entry>>();
  return {
    forScope(scope) {
      const entries = scopes.get(scope) ?? new Map<string, Entry>();
      scopes.set(scope, entries);
      return createBlobs(entries);
    },
  };
}

function createBlobs(entries: Map<string, Entry>): BlobStore {
  const find = (reference: string): Entry | undefined => entries.get(idIn(reference) ?? '');
  return Object.freeze<BlobStore>({
    async store(data, metadata) {
      const id = randomUUID();
      const entry = { data: toBytes(data, usualMaxBlobBytes), metadata: writeMetadata(metadata) };
      entries.set(id, entry);
      return await Promise.resolve(referenceOf(id, entry));
    },
    async retrieve(reference) {
      const entry = find(reference);
      const copy = entry && { data: Uint8Array.from(entry.data), metadata: metadataOf(entry) };
      return await Promise.resolve(copy);
    },
    exists: async (reference) => await Promise.resolve(find(reference) !== undefined),
    async delete(reference) {
      await Promise.resolve(entries.delete(idIn(reference) ?? ''));
    },
    async listBlobs() {
      return await Promise.resolve([...entries].map(([id, entry]) => referenceOf(id, entry)));
    },
    isConnected: () => true,
    getStoreType: () => 'in-memory',
  });
}

function referenceOf(id: string, entry: Entry): BlobReference {
  return { id, uri: uriOf(id), size: entry.data.length, metadata: metadataOf(entry) };
}

function metadataOf({ metadata }: Entry): BlobMetadata {
  return readJson('metadata', metadata) as BlobMetadata;
}
