import type { SecretStorage } from 'vscode';
import type { Secrets } from '../../host/ports.ts';

/** Keys live in VS Code's secret storage, under names of our own. */
export function createEditorSecrets(storage: SecretStorage): Secrets {
  return {
    get: async (name) => await storage.get(name),
    set: async (name, value) => await storage.store(name, value),
    delete: async (name) => await storage.delete(name),
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}
