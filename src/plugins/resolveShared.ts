import {
  resolvePluginCommands,
  type CommandParts,
  type PluginCommand,
} from './commands/resolvePluginCommands.ts';
import { findCollisions } from './listed/findCollisions.ts';
import type { PluginInstance } from './loadPlugin.ts';
import type { PluginCli, PluginInternalHook } from './pluginManager.ts';
import type { HostProvider, PluginProvider } from './providers/pluginProvider.ts';

/** What all loaded plugins bring together, beside tools, hooks and services. */
export interface SharedRegistrations {
  readonly commands: readonly PluginCommand[];
  readonly cli: readonly PluginCli[];
  readonly internalHooks: readonly PluginInternalHook[];
  readonly providers: readonly PluginProvider[];
  readonly hostProviders: readonly HostProvider[];
}

export const nothingShared: SharedRegistrations = {
  commands: [],
  cli: [],
  internalHooks: [],
  providers: [],
  hostProviders: [],
};

/** Puts together what the plugins registered, in their order; names that are taken twice are reported, the first counts. */
export function resolveShared(
  instances: readonly PluginInstance[],
  parts: CommandParts,
): SharedRegistrations {
  const named = instances.map((instance) => ({ ...instance, pluginId: instance.id }));
  const { commands, diagnostics } = resolvePluginCommands(
    named.map(({ pluginId, registrations, currentConfig }) => ({
      pluginId,
      commands: registrations.commands,
      currentConfig,
    })),
    parts,
  );
  [...diagnostics, ...findCollisions(named)].forEach(parts.report);
  const providers = named.flatMap(({ pluginId, registrations, serviceContext }) =>
    registrations.providers.map((provider) => ({ ...provider, pluginId, context: serviceContext })),
  );
  return {
    commands,
    cli: named.flatMap(({ pluginId, registrations, serviceContext }) =>
      registrations.cli.map((registration) => ({ ...registration, pluginId, context: serviceContext })),
    ),
    providers: providers.filter(
      (provider, index) => providers.findIndex(({ id }) => id === provider.id) === index,
    ),
    hostProviders: named.flatMap(({ pluginId, registrations }) =>
      registrations.hostProviders.map((provider) => ({ ...provider, pluginId })),
    ),
    internalHooks: named.flatMap(({ pluginId, registrations }) =>
      registrations.internalHooks.map((hook) => ({ ...hook, pluginId })),
    ),
  };
}
