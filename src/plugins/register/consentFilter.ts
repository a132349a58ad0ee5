// Threat: the user agrees to what the question shows, and that was read from the plugin's text. Code that puts a name together while
// it runs, or that has a package register for it, shows nothing there. So what was not shown waits until the user agrees to it, too.
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { plural } from '../../base/text.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginAsks, RegistrationKind } from '../pluginTypes.ts';
import { toolName } from '../tools/toAgentTool.ts';
import { listRegistrations, type Registrations } from './registrations.ts';

/** What the user was shown before the plugin ran. */
type Shown = Pick<PluginAsks, 'tools' | 'hooks' | 'registers' | 'more'>;

export interface ConsentedRegistrations {
  /** What may take effect. */
  readonly registrations: Registrations;
  /** What may not yet, as `kind name`. */
  readonly names: readonly string[];
}

/** As `filterByConsent`; the same object as long as nothing more is registered, since it is asked for often. */
export function createConsentFilter(
  pluginId: string,
  registered: Registrations,
  shown: Shown,
): () => ConsentedRegistrations {
  const lists: readonly (readonly unknown[])[] = Object.values(registered);
  // Of each list: a listener that stops and something new add up to nothing.
  let sizes: readonly number[] = [];
  let last: ConsentedRegistrations = { registrations: registered, names: [] };
  return () => {
    if (sizes.length > 0 && lists.every(({ length }, index) => length === sizes[index])) return last;
    sizes = lists.map(({ length }) => length);
    last = filterByConsent(pluginId, registered, shown);
    return last;
  };
}

/** Holds back of what was registered what was not shown. What nothing uses is let through. Pure. */
function filterByConsent(pluginId: string, registered: Registrations, shown: Shown): ConsentedRegistrations {
  const isShown = createShown(shown);
  const unused = new Set<unknown>(registered.listed);
  const held = listRegistrations(registered)
    .filter(({ item }) => !unused.has(item))
    .map(({ kind, names, item }) => ({
      item,
      kind,
      names,
      hidden: names.filter((name) => !isShown(kind, name)),
    }))
    .filter(({ hidden }) => hidden.length > 0);
  const names = held.flatMap(({ kind, hidden }) => hidden.map((name) => `${kind} ${name}`));
  const gone = new Set<unknown>(
    held.filter((each) => each.hidden.length === each.names.length).map(({ item }) => item),
  );
  const stays = (item: unknown): boolean => !gone.has(item);
  return {
    names,
    registrations: {
      ...registered,
      tools: registered.tools.filter(stays).map((tool) => ({
        ...tool,
        names: tool.names.filter((name) => isShown('tool', name)),
        isShown: (name) => isShown('tool', name),
      })),
      commands: registered.commands.filter(stays),
      hooks: registered.hooks.filter(stays),
      services: registered.services.filter(stays),
      cli: registered.cli.filter(stays),
      sessionExtensions: registered.sessionExtensions.filter(stays),
      sessionActions: registered.sessionActions.filter(stays),
      lifecycles: registered.lifecycles.filter(stays),
      internalHooks: registered.internalHooks.filter(stays),
      providers: registered.providers.filter(stays),
      hostProviders: registered.hostProviders.filter(stays),
      memoryCapabilities: registered.memoryCapabilities.filter(stays),
      memorySupplements: registered.memorySupplements.filter(stays),
      middleware: registered.middleware.filter(stays),
      toolMetadata: registered.toolMetadata.filter(stays),
      httpRoutes: registered.httpRoutes.filter(stays),
      gatewayMethods: registered.gatewayMethods.filter(stays),
      channels: registered.channels.filter(stays),
      diagnostics: [
        ...registered.diagnostics,
        ...(names.length === 0 ? [] : [registersMore(pluginId, names)]),
      ],
    },
  };
}

/** What the user is told of registrations that wait. */
export function registersMore(pluginId: string, names: readonly string[]): Diagnostic {
  return warnDiagnostic(
    'plugin_registers_more',
    `Plugin ${pluginId} registers more than was shown when you allowed it: ${namesInShort(names)}. That has no effect yet.`,
    {
      pluginId,
      hint: 'Look at its code, then allow it or leave it.',
      fixes: [{ kind: 'allow-registrations', pluginId, names }],
    },
  );
}

const maxNamed = 10;

function namesInShort(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  const some = names.slice(0, maxNamed).join(', ');
  return rest > 0 ? `${some} and ${plural(rest, 'more', 'more')}` : some;
}

function createShown({
  tools,
  hooks,
  registers,
  more = [],
}: Shown): (kind: RegistrationKind, name: string) => boolean {
  const agreed = new Set([
    ...more,
    ...tools.map((name) => `tool ${name}`),
    ...hooks.map((name) => `hook ${name}`),
  ]);
  return (kind, name) => {
    if (agreed.has(`${kind} ${name}`)) return true;
    // One of another name is refused anyway, and that is to be told.
    if (kind === 'tool') return !toolName.test(name);
    return kind !== 'hook' && registers.includes(kind);
  };
}
