import type { PluginOrigin } from './pluginTypes.ts';

/** Lower wins (rulings P2). Plugins in the home folder have no install record yet, so they come last. */
const rank: Readonly<Record<PluginOrigin, number>> = { config: 0, bundled: 2, workspace: 3, global: 4 };

export interface Claimant {
  readonly id: string;
  readonly origin: PluginOrigin;
}

/**
 * For plugins that have the same id: who runs. The answer maps every loser to its winner; of two with the same rank the
 * first wins. Pure.
 */
export function pickWinners<T extends Claimant>(plugins: readonly T[]): ReadonlyMap<T, T> {
  const winners = new Map<string, T>();
  for (const plugin of plugins) {
    const best = winners.get(plugin.id);
    if (best === undefined || rank[plugin.origin] < rank[best.origin]) winners.set(plugin.id, plugin);
  }
  const losers = new Map<T, T>();
  for (const plugin of plugins) {
    const winner = winners.get(plugin.id);
    if (winner !== undefined && winner !== plugin) losers.set(plugin, winner);
  }
  return losers;
}
