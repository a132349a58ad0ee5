import { createEmitter, type Emitter, type Event } from '../../base/event.ts';

/** Files that the agent changes: saving an open one is not the user's save. */
export interface AgentWrites {
  /** `path` as `Uri.fsPath` gives it. */
  has(path: string): boolean;
  /** Runs `write`; the path counts as the agent's until it has settled. */
  during<T>(path: string, write: () => Promise<T>): Promise<T>;
  /** Says that files were changed, open or not; a file watcher may miss folders that have just been made. */
  wrote(paths: readonly string[]): void;
  readonly onDidWrite: Event<readonly string[]>;
}

export function createAgentWrites(): AgentWrites {
  const counts = new Map<string, number>();
  const written: Emitter<readonly string[]> = createEmitter();
  const add = (path: string, change: 1 | -1): void => {
    const count = (counts.get(path) ?? 0) + change;
    if (count === 0) counts.delete(path);
    else counts.set(path, count);
  };
  return {
    has: (path) => counts.has(path),
    wrote: (paths) => written.fire(paths),
    onDidWrite: written.event,
    async during(path, write) {
      add(path, 1);
      try {
        return await write();
      } finally {
        add(path, -1);
      }
    },
  };
}
