import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { warnDiagnostic } from './pluginDiagnostics.ts';
import { configFor, entryOf, type PluginsConfig } from './pluginTypes.ts';
import { joinCapabilities, type MemoryCapability } from './providers/memoryCapability.ts';
import type { MemorySupplement } from './providers/memorySupplements.ts';
import type { HostProvider } from './providers/pluginProvider.ts';
import { usersFirst } from './resolveShared.ts';
import { chosenFor, isBuiltInSlot } from './slots.ts';
import type { PluginSlot } from './toRecord.ts';

interface PermittedProvidersParts {
  readonly slots: () => readonly PluginSlot[];
  /** As it was when plugins were loaded; undefined before. */
  readonly config: () => PluginsConfig | undefined;
  /** Of all loaded plugins, the user's own first. */
  readonly hostProviders: () => readonly HostProvider[];
  readonly isOfWorkspace: (pluginId: string) => boolean;
  readonly mayInject: (pluginId: string) => boolean;
}

/** What the host asks loaded plugins for, and whom. */
interface PermittedProviders {
  hostProviders(): readonly HostProvider[];
  contextEngine(): { readonly engine?: HostProvider; readonly problems: readonly Diagnostic[] };
  memoryCapability(): MemoryCapability | undefined;
  memorySupplements(): readonly MemorySupplement[];
}

/**
 * Threat: summaries and engines are made of what was said and have their say in the prompt. So a workspace's plugin needs the permission
 * to hear it, and none may be barred from prompts.
 */
export function createPermittedProviders({
  slots,
  config,
  hostProviders,
  isOfWorkspace,
  mayInject,
}: PermittedProvidersParts): PermittedProviders {
  const mayHear = (pluginId: string): boolean => {
    const all = config();
    if (all === undefined || !mayInject(pluginId)) return false;
    const { hooks } = entryOf(configFor(all, 'workspace'), pluginId);
    return !isOfWorkspace(pluginId) || hooks?.allowConversationAccess === true;
  };

  return {
    hostProviders: () =>
      hostProviders().filter(({ kind, pluginId }) => kind !== 'compaction provider' || mayHear(pluginId)),

    contextEngine() {
      const all = config();
      if (all?.enabled !== true) return { problems: [] };
      const chosen = chosenFor('contextEngine', all);
      const named = hostProviders().filter(
        ({ kind, id, pluginId }) => kind === 'context engine' && (chosen === id || chosen === pluginId),
      );
      const engine = named.find(({ pluginId }) => mayHear(pluginId));
      if (engine !== undefined) return { engine, problems: [] };
      if (named.length > 0) return { problems: named.map(engineBarred) };
      if (typeof chosen !== 'string' || isBuiltInSlot('contextEngine', chosen)) return { problems: [] };
      const isOff = slots().some(({ plan }) => plan.id === chosen && !plan.enablement.enabled);
      return { problems: isOff ? [] : [engineMissing(chosen)] };
    },

    memoryCapability() {
      const holders = slots().flatMap(({ plan, instance }) =>
        instance !== undefined && plan.fills?.includes('memory') === true
          ? [{ pluginId: plan.id, registered: instance.registrations.memoryCapabilities }]
          : [],
      );
      const [holder] = usersFirst(holders, isOfWorkspace);
      if (holder === undefined) return undefined;
      return joinCapabilities(holder.pluginId, holder.registered, mayInject(holder.pluginId));
    },

    memorySupplements: () =>
      slots().flatMap(({ plan: { id: pluginId }, instance }) =>
        (instance?.registrations.memorySupplements ?? [])
          .filter(({ kind }) => kind === 'memory corpus supplement' || mayInject(pluginId))
          .map((each) => ({ ...each, pluginId })),
      ),
  };
}

function engineBarred({ id, pluginId }: HostProvider): Diagnostic {
  const message =
    `The context engine "${id}" would hear what is said and add to prompts, which the config does not allow: ` +
    `plugins.entries.${pluginId}.hooks.allowConversationAccess and allowPromptInjection. Conversations are put together without it.`;
  return warnDiagnostic('context_engine_barred', message, {
    pluginId,
    hint: 'Allow it where you trust the plugin with what is said.',
    fixes: [{ kind: 'allow-conversation-access', pluginId }],
  });
}

function engineMissing(id: string): Diagnostic {
  const message = `No plugin that runs has registered the context engine "${inertLine(id, 80)}". Conversations are put together without one.`;
  return warnDiagnostic('context_engine_missing', message, {
    hint: 'Look at the plugin, or correct plugins.slots.contextEngine in your config.',
  });
}
