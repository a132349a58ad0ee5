import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import { hostProviderTaken, providerTaken } from '../providers/pluginProvider.ts';
import type { Registrations } from '../register/registrations.ts';
import { listedMethods } from './listedMethods.ts';

interface Source {
  readonly pluginId: string;
  readonly registrations: Registrations;
}

/** The kinds whose names are looked at. */
type NamedRegistrations = Partial<
  Pick<Registrations, 'listed' | 'policies' | 'providers' | 'hostProviders' | 'gatewayMethods' | 'channels'>
>;

/** A name that must be unique among all plugins. */
interface Claim {
  readonly method: string;
  readonly name: string;
  /** What the second one is told; `plugin` has the name. */
  readonly taken: (name: string, plugin: string) => string;
}

/**
 * Names that two plugins registered: the first counts, the others are named. Tools, commands, services and command lines are
 * resolved where they are used. Pure.
 */
export function findCollisions(
  sources: readonly Source[],
  named: (registrations: Registrations) => NamedRegistrations,
): readonly Diagnostic[] {
  const owners = new Map<string, string>();
  return sources.flatMap(({ pluginId, registrations }) =>
    claimsOf(named(registrations)).flatMap(({ method, name, taken }) => {
      const key = `${method}\n${name}`;
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, pluginId);
      return owner === undefined || owner === pluginId
        ? []
        : [errorDiagnostic('plugin_registration_refused', taken(name, owner), { pluginId })];
    }),
  );
}

function claimsOf({
  listed = [],
  policies = [],
  providers = [],
  hostProviders = [],
  gatewayMethods = [],
  channels = [],
}: NamedRegistrations): readonly Claim[] {
  return [
    ...listed.flatMap(({ method, name }) => {
      const taken = Object.hasOwn(listedMethods, method) ? listedMethods[method]?.taken : undefined;
      return taken === undefined ? [] : [{ method, name, taken }];
    }),
    ...providers.map(({ id }) => ({ method: 'registerProvider', name: id, taken: providerTaken })),
    ...hostProviders.map(({ kind, id }) => ({ method: kind, name: id, taken: hostProviderTaken(kind) })),
    ...gatewayMethods.map(({ method }) => ({
      method: 'registerGatewayMethod',
      name: method,
      taken: gatewayMethodTaken,
    })),
    ...channels.map(({ id }) => ({ method: 'registerChannel', name: id, taken: channelTaken })),
    ...policies.map(({ id }) => ({ method: 'registerTrustedToolPolicy', name: id, taken: policyTaken })),
  ];
}

export function policyTaken(id: string, plugin: string): string {
  return `trusted tool policy already registered: ${id} (${plugin})`;
}

export function channelTaken(id: string, plugin: string): string {
  return `channel already registered: ${id} (${plugin})`;
}

export function gatewayMethodTaken(method: string): string {
  return `gateway method already registered: ${method}`;
}
