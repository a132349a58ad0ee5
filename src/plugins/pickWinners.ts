import type { PluginOrigin } from './pluginTypes.ts';

/** Lower wins (rulings P2). Plugins in the home folder have no install record yet, so they come last. */
const rank: Readonly<Record<PluginOrigin, number>> = { config: 0, bundled: 2, workspace: 3, global: 4 };

export interface Claimant {
  readonly id: string;
  readonly origin: PluginOrigin;
  /** Whether it would run if it were the only one of its id. */
  readonly mayRun: boolean;
}

/**
 * For plugins that have the same id: who runs. The answer maps every loser to its winner; of two with the same rank the
 * first wins. Threat: a cloned repository takes the id of a plugin in the home folder to switch it off; so a workspace plugin
 * that may not run leaves the global one alone. Pure.
 */
export function pickWinners<T extends Claimant>(plugins: readonly T[]): ReadonlyMap<T, T> {
  const losers = new Map<T, T>();
  for (const plugin of plugins) {
    const same = plugins.filter(({ id }) => id === plugin.id);
    const winner = winnerFor(plugin, same);
    if (winner !== undefined && winner !== plugin) losers.set(plugin, winner);
  }
  return losers;
}

function winnerFor<T extends Claimant>(plugin: T, same: readonly T[]): T | undefined {
  const [strongest] = same.toSorted((a, b) => rank[a.origin] - rank[b.origin]);
  const yields = strongest?.origin === 'workspace' && !strongest.mayRun;
  return yields && plugin.origin === 'global' ? same.find(({ origin }) => origin === 'global') : strongest;
}
