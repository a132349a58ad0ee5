// Threat: a server that defines its tools otherwise again and again, or to and fro, buries the window in warnings, until nobody reads one.
import type { ServerView } from '../../mcp/mcpServers.ts';

/**
 * Looks for changes that nobody was told of: `tell` is called once for each, and for one of a server at a time; what changes while it
 * lasts is told after it, where it still holds.
 */
export function createChangeNotifier(
  list: () => readonly Pick<ServerView, 'name' | 'change'>[],
  tell: (name: string, tools: readonly string[]) => Promise<void>,
  inBackground: (work: Promise<void>) => void,
): () => void {
  const told = new Map<string, Set<string>>();
  const open = new Set<string>();
  const tellOne = async (name: string, tools: readonly string[]): Promise<void> => {
    open.add(name);
    try {
      await tell(name, tools);
    } finally {
      open.delete(name);
    }
    look();
  };
  const look = (): void => {
    for (const { name, change } of list()) {
      const ids = told.get(name) ?? new Set();
      if (change === undefined || ids.has(change.id) || open.has(name)) continue;
      told.set(name, ids.add(change.id));
      inBackground(tellOne(name, change.tools));
    }
  };
  return look;
}
