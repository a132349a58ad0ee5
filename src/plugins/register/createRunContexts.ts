import { isJsonValue, isRecord } from '../../base/json.ts';

/** Scratch values that plugins keep for the time of one run (`api.setRunContext`). */
export interface RunContexts {
  /** False where the patch is none or its value is not JSON-compatible. */
  set(pluginId: string, patch: unknown): boolean;
  /** A copy; undefined where nothing is stored. */
  get(pluginId: string, query: unknown): unknown;
  clear(pluginId: string, query: unknown): void;
  /** The run is over: its values go. */
  end(runId: string): void;
}

export function createRunContexts(): RunContexts {
  const runs = new Map<string, Map<string, unknown>>();
  return {
    set(pluginId, patch) {
      const { runId, namespace, value } = read(patch);
      if (runId === '' || namespace === '' || !isJsonValue(value)) return false;
      const values = runs.get(runId) ?? new Map<string, unknown>();
      runs.set(runId, values.set(keyOf(pluginId, namespace), structuredClone(value)));
      return true;
    },
    get(pluginId, query) {
      const { runId, namespace } = read(query);
      return structuredClone(runs.get(runId)?.get(keyOf(pluginId, namespace)));
    },
    clear(pluginId, query) {
      const { runId, namespace } = read(query);
      const values = runs.get(runId);
      for (const key of [...(values?.keys() ?? [])]) {
        const isOwn =
          namespace === '' ? key.startsWith(keyOf(pluginId, '')) : key === keyOf(pluginId, namespace);
        if (isOwn) values?.delete(key);
      }
    },
    end: (runId) => void runs.delete(runId),
  };
}

function keyOf(pluginId: string, namespace: string): string {
  return `${pluginId}\n${namespace}`;
}

/** What is missing or of the wrong type reads as an empty text, which names nothing. */
function read(given: unknown): {
  readonly runId: string;
  readonly namespace: string;
  readonly value: unknown;
} {
  const { runId, namespace, value } = isRecord(given) ? given : {};
  return {
    runId: typeof runId === 'string' ? runId : '',
    namespace: typeof namespace === 'string' ? namespace.trim() : '',
    value,
  };
}
