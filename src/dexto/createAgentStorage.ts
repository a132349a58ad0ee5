import { stableStringify } from '../base/json.ts';
import { errorMessage } from '../base/errors.ts';
import type { AgentFile } from './agentFile/agentFile.ts';
import { createStorage, type StorageDeps, type Storage } from './storage/createStorage.ts';
import type { StorageConfig } from './agentFile/storageConfig.ts';

/** The storage of the agent file that counts now. */
interface AgentStorage {
  current: () => Storage;
  /** Resolves when everything is written and nothing is connected any more. */
  close(): Promise<void>;
}

/** What a file that says nothing has. */
const usual: StorageConfig = {
  database: { type: 'sqlite' },
  cache: { type: 'in-memory' },
  blob: { type: 'local' },
};

/** Another file, or another `storage` in it, has another storage; the old one is closed then. */
export function createAgentStorage(deps: StorageDeps, file: () => AgentFile | undefined): AgentStorage {
  let opened:
    { readonly file: AgentFile | undefined; readonly key: string; readonly storage: Storage } | undefined;
  let closing: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const close = (storage: Storage): void => {
    closing = Promise.all([
      closing,
      storage
        .close()
        .catch((error: unknown) =>
          deps.log.write('warn', `A storage of plugins could not be closed: ${errorMessage(error)}`),
        ),
    ]);
  };
  return {
    current() {
      const now = file();
      // Who still works at the end gets what is closed, and is told so.
      if (opened !== undefined && (opened.file === now || isClosed)) return opened.storage;
      const config = now?.storage ?? usual;
      const key = stableStringify(config);
      if (opened?.key === key) {
        opened = { ...opened, file: now };
        return opened.storage;
      }
      if (opened !== undefined) close(opened.storage);
      opened = { file: now, key, storage: createStorage(config, deps) };
      if (isClosed) close(opened.storage);
      return opened.storage;
    },
    async close() {
      isClosed = true;
      if (opened !== undefined) close(opened.storage);
      await closing;
    },
  };
}
