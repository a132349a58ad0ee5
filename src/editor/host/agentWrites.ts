/** Open documents that the agent is changing now: saving one is not the user's save. */
export interface AgentWrites {
  /** `path` as `Uri.fsPath` gives it. */
  has(path: string): boolean;
  /** Runs `write`; the path counts as the agent's until it has settled. */
  during<T>(path: string, write: () => Promise<T>): Promise<T>;
}

export function createAgentWrites(): AgentWrites {
  const counts = new Map<string, number>();
  const add = (path: string, change: 1 | -1): void => {
    const count = (counts.get(path) ?? 0) + change;
    if (count === 0) counts.delete(path);
    else counts.set(path, count);
  };
  return {
    has: (path) => counts.has(path),
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
