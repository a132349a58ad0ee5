import type { PluginOrigin } from './pluginTypes.ts';

/** Lower wins. */
const rank: Readonly<Record<PluginOrigin, number>> = { config: 0, bundled: 2, workspace: 3, global: 4 };
const rankOfInstalled = 1;

interface Claimant {
  readonly id: string;
  readonly origin: PluginOrigin;
  /** Whether it has an install record. */
  readonly installed?: boolean;
  /** Whether it would run if it were the only one of its id. */
  readonly mayRun: boolean;
}

/**
 * For plugins that have the same id: who runs. The answer maps every loser to its winner; of two with the same rank the
 * first wins. Threat: a cloned repository takes the id of another plugin to switch it off; so a workspace plugin that may not run
 * leaves the global one alone, and takes no place from one of the workspace that may. Pure.
 */
export function pickWinners<T extends Claimant>(plugins: readonly T[]): ReadonlyMap<T, T> {
  const byId = new Map<string, T[]>();
  for (const plugin of plugins) byId.set(plugin.id, [...(byId.get(plugin.id) ?? []), plugin]);
  const losers = new Map<T, T>();
  for (const plugin of plugins) {
    const winner = winnerFor(plugin, byId.get(plugin.id) ?? []);
    if (winner !== undefined && winner !== plugin) losers.set(plugin, winner);
  }
  return losers;
}

function winnerFor<T extends Claimant>(plugin: T, same: readonly T[]): T | undefined {
  const [strongest] = same.toSorted((a, b) => rankOf(a) - rankOf(b) || mayNot(a) - mayNot(b));
  const yields = strongest?.origin === 'workspace' && !strongest.mayRun;
  return yields && plugin.origin === 'global' ? same.find(({ origin }) => origin === 'global') : strongest;
}

function mayNot({ origin, mayRun }: Claimant): number {
  return Number(origin === 'workspace' && !mayRun);
}

function rankOf({ origin, installed }: Claimant): number {
  return origin === 'global' && installed === true ? rankOfInstalled : rank[origin];
}
