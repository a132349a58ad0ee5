// Threat: a program that asks ports around tells others of itself and reaches what nobody meant. So only this machine is
// asked, by its address and not by a name that may lead elsewhere, on a few known ports, and only when the user says so.
import { throwIfAborted } from '../../base/abort.ts';
import type { Clock } from '../../host/ports.ts';
import { asksForKey } from '../providers/asksForKey.ts';
import { localProviders, type ProviderEntry } from '../providers/providerCatalog.ts';

/** A server that answered on this machine. */
export interface LocalServer<M> {
  readonly provider: ProviderEntry;
  readonly baseUrl: string;
  /** Empty where it wants a key first. */
  readonly models: readonly M[];
  readonly needsKey: boolean;
}

interface DiscoveryParts<M> {
  /** Lists the models of a server; throws `model_no_key` where that needs a key. */
  readonly list: (baseUrl: string, signal: AbortSignal) => Promise<readonly M[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Default: the usual ports of the catalog. */
  readonly ports?: readonly { readonly port: number; readonly provider: ProviderEntry }[];
}

/** Milliseconds for each; all are asked at once. */
const limitMs = 1_000;

/**
 * The model servers that run on this machine, in the catalog's order. What does not answer with a list of models within a
 * second is none.
 *
 * @throws PincerError `cancelled`
 */
export async function discoverLocalServers<M>(parts: DiscoveryParts<M>): Promise<readonly LocalServer<M>[]> {
  const ports = parts.ports ?? localProviders.map((provider) => ({ port: provider.port, provider }));
  const found = await Promise.all(ports.map((each) => ask(parts, each)));
  throwIfAborted(parts.signal);
  return found.flatMap((server) => server ?? []);
}

async function ask<M>(
  { list, clock, signal }: DiscoveryParts<M>,
  { port, provider }: { readonly port: number; readonly provider: ProviderEntry },
): Promise<LocalServer<M> | undefined> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const late = new AbortController();
  const stopTimer = clock.after(limitMs, () => late.abort());
  try {
    const models = await list(baseUrl, AbortSignal.any([signal, late.signal]));
    return { provider, baseUrl, models, needsKey: false };
  } catch (error) {
    const needsKey = asksForKey(error);
    // Nobody there, or somebody else: that is what was asked.
    return needsKey ? { provider, baseUrl, models: [], needsKey } : undefined;
  } finally {
    stopTimer();
  }
}
