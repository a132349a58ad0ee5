import {
  resolvePluginCommands,
  type CommandParts,
  type PluginCommand,
} from './commands/resolvePluginCommands.ts';
import { findCollisions } from './listed/findCollisions.ts';
import type { PluginInstance } from './loadPlugin.ts';
import type { PluginChannel, PluginCli, PluginGatewayMethod, PluginInternalHook } from './pluginManager.ts';
import type { HostProvider, PluginProvider } from './providers/pluginProvider.ts';
import { resolveHttpRoutes, type PluginHttpRoute } from './resolveHttpRoutes.ts';

/** What all loaded plugins bring together, beside tools, hooks and services. */
export interface SharedRegistrations {
  readonly commands: readonly PluginCommand[];
  readonly cli: readonly PluginCli[];
  readonly internalHooks: readonly PluginInternalHook[];
  readonly providers: readonly PluginProvider[];
  readonly hostProviders: readonly HostProvider[];
  /** In the order in which they are asked. */
  readonly httpRoutes: readonly PluginHttpRoute[];
  /** Of one name the first counts. */
  readonly gatewayMethods: readonly PluginGatewayMethod[];
  /** Of one id the first counts. */
  readonly channels: readonly PluginChannel[];
}

export const nothingShared: SharedRegistrations = {
  commands: [],
  cli: [],
  internalHooks: [],
  providers: [],
  hostProviders: [],
  httpRoutes: [],
  gatewayMethods: [],
  channels: [],
};

interface SharedParts extends CommandParts {
  readonly isOfWorkspace: (pluginId: string) => boolean;
}

/**
 * Threat: a workspace's plugin takes the id that the user's config means for one of theirs. So theirs come first wherever the host asks a
 * plugin by name. Pure.
 */
export function usersFirst<T extends { readonly pluginId: string }>(
  all: readonly T[],
  isOfWorkspace: (pluginId: string) => boolean,
): readonly T[] {
  return all.toSorted((a, b) => Number(isOfWorkspace(a.pluginId)) - Number(isOfWorkspace(b.pluginId)));
}

/**
 * Puts together what the plugins registered, in their order, providers with the user's own first; of names that are taken twice the first
 * counts, and the others are reported.
 */
export function resolveShared(instances: readonly PluginInstance[], parts: SharedParts): SharedRegistrations {
  const named = instances.map((instance) => ({ ...instance, pluginId: instance.id }));
  const { commands, diagnostics } = resolvePluginCommands(
    named.map(({ pluginId, registrations, currentConfig }) => ({
      pluginId,
      commands: registrations.commands,
      currentConfig,
    })),
    parts,
  );
  const inAskingOrder = usersFirst(named, parts.isOfWorkspace);
  const collisions = [
    ...findCollisions(named, ({ listed, policies }) => ({ listed, policies })),
    ...findCollisions(inAskingOrder, ({ providers, hostProviders, gatewayMethods, channels }) => ({
      providers,
      hostProviders,
      gatewayMethods,
      channels,
    })),
  ];
  const { routes: httpRoutes, diagnostics: refused } = resolveHttpRoutes(
    inAskingOrder.map(({ pluginId, registrations }) => ({ pluginId, httpRoutes: registrations.httpRoutes })),
  );
  [...diagnostics, ...collisions, ...refused].forEach(parts.report);
  const providers = inAskingOrder.flatMap(({ pluginId, registrations, serviceContext }) =>
    registrations.providers.map((provider) => ({ ...provider, pluginId, context: serviceContext })),
  );
  const methods = inAskingOrder.flatMap(({ pluginId, registrations }) =>
    registrations.gatewayMethods.map((each) => ({ ...each, pluginId })),
  );
  const channels = inAskingOrder.flatMap(({ pluginId, registrations, currentConfig, redact }) =>
    registrations.channels.map((registration): PluginChannel => ({
      pluginId,
      registration,
      isOfWorkspace: parts.isOfWorkspace(pluginId),
      currentConfig,
      redact,
    })),
  );
  return {
    commands,
    channels: channels.filter(
      ({ registration: { id } }, index) =>
        channels.findIndex((each) => each.registration.id === id) === index,
    ),
    httpRoutes,
    gatewayMethods: methods.filter(
      ({ method }, index) => methods.findIndex((each) => each.method === method) === index,
    ),
    cli: named.flatMap(({ pluginId, registrations, serviceContext }) =>
      registrations.cli.map((registration) => ({ ...registration, pluginId, context: serviceContext })),
    ),
    providers: providers.filter(
      (provider, index) => providers.findIndex(({ id }) => id === provider.id) === index,
    ),
    hostProviders: inAskingOrder.flatMap(({ pluginId, registrations }) =>
      registrations.hostProviders.map((provider) => ({ ...provider, pluginId })),
    ),
    internalHooks: named.flatMap(({ pluginId, registrations }) =>
      registrations.internalHooks.map((hook) => ({ ...hook, pluginId })),
    ),
  };
}
