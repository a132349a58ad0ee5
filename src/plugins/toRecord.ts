import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FailedPlugin } from './commands/resolvePluginCommands.ts';
import type { DeclaredKind, PluginInstance } from './loadPlugin.ts';
import { hookCatalog } from '../hooks/hookCatalog.ts';
import type { HookRegistry } from '../hooks/hookRunner.ts';
import type { DisabledBy, HookListing, PluginRecord, RegistrationKind } from './pluginTypes.ts';
import { listRegistrations, type Registrations } from './register/registrations.ts';
import type { PluginPlan } from './planPlugin.ts';

/** Equal keys mean that loading again would give the same. */
export interface LoadKey {
  readonly content: string;
  /** What the plugin was allowed; with less, an old version may not go on. */
  readonly permissions: string;
}

/** One plugin as it stands: what was decided, what runs, and what went wrong on the way. */
export interface PluginSlot {
  readonly plan: PluginPlan;
  readonly instance?: PluginInstance;
  /** What `instance` was loaded from; as long as it is the same, the instance is kept. */
  readonly loadedFrom?: LoadKey;
  /** What its code says of its kind, to be decided about; it is not loaded then. */
  readonly declared?: DeclaredKind;
  readonly failure?: {
    readonly phase: NonNullable<PluginRecord['failurePhase']>;
    readonly message: string;
    readonly diagnostics: readonly Diagnostic[];
  };
}

/**
 * The record that lists and trees show. `later` are diagnostics since it was loaded; `order` knows the handlers of all
 * plugins. Pure.
 */
export function toRecord(
  slot: PluginSlot,
  later: readonly Diagnostic[],
  order: Pick<HookRegistry, 'handlers'>,
): PluginRecord {
  const { plan, instance, failure } = slot;
  const { candidate, manifest } = plan;
  const registered = instance?.registrations;
  const version = manifest?.version ?? candidate.version;
  const problem = failure ?? plan.problem;
  return {
    id: plan.id,
    name: manifest?.name ?? plan.id,
    kind: manifest?.kind ?? [],
    origin: candidate.origin,
    rootDir: candidate.rootDir,
    source: candidate.source,
    manifestPath: plan.manifestPath,
    enabled: plan.enablement.enabled,
    ...(plan.enablement.enabled ? {} : { disabledBy: plan.enablement.by }),
    status: instance === undefined ? (problem === undefined ? 'disabled' : 'error') : 'loaded',
    reason: reasonOf(slot),
    toolNames: [...new Set(registered?.tools.flatMap(({ names }) => names))],
    hookNames: [...new Set(registered?.hooks.map(({ hook }) => hook))],
    // Counted out where somebody reads it: each turn asks for the records, and few of them for this.
    get hooks() {
      return registered === undefined ? [] : listHooks(registered, order);
    },
    commands: registered?.commands.map(({ name }) => name) ?? [],
    services: registered?.services.map(({ id }) => id) ?? [],
    unused: registered?.listed.map(({ kind, name }) => `${kind} ${name}`) ?? [],
    get registrations() {
      return registered === undefined ? {} : namesByKind(registered);
    },
    heldBack: instance?.heldBack() ?? [],
    diagnostics: [...diagnosticsOf(slot), ...later],
    ...(problem === undefined ? {} : { error: problem.message, failurePhase: problem.phase }),
    ...(version === undefined ? {} : { version }),
    ...(manifest?.description === undefined ? {} : { description: manifest.description }),
    ...(candidate.workspaceDir === undefined ? {} : { workspaceDir: candidate.workspaceDir }),
    ...(plan.needsConsent === undefined ? {} : { needsConsent: plan.needsConsent }),
    ...(plan.asks === undefined ? {} : { asks: plan.asks }),
    ...(plan.developing === true ? { developing: true } : {}),
    ...(candidate.isInstalled === true ? { isInstalled: true } : {}),
    ...(instance === undefined ? {} : { timings: instance.timings }),
    ...(manifest?.mcpServers === undefined || instance === undefined
      ? {}
      : { mcpServers: manifest.mcpServers }),
    ...(manifest === undefined
      ? {}
      : {
          configJsonSchema: instance?.configSchema ?? manifest.configSchema,
          configUiHints: manifest.uiHints,
        }),
  };
}

/** What is known to be wrong with a plugin since it was found and loaded. */
export function diagnosticsOf({ plan, instance, failure }: PluginSlot): readonly Diagnostic[] {
  const registered = instance?.registrations.diagnostics ?? [];
  return [...plan.diagnostics, ...registered, ...(failure?.diagnostics ?? [])];
}

function reasonOf({ plan, instance, failure }: PluginSlot): string {
  if (failure !== undefined) {
    return instance === undefined ? failure.message : `${failure.message}; the previous version still runs`;
  }
  const stale = instance !== undefined && !plan.enablement.enabled;
  return stale ? `${plan.enablement.reason}; the version you enabled still runs` : plan.enablement.reason;
}

function listHooks({ hooks }: Registrations, order: Pick<HookRegistry, 'handlers'>): readonly HookListing[] {
  return hooks.map((registration) => {
    const { hook, priority, timeoutMs, only } = registration;
    const all = order.handlers(hook, 'plugins');
    const limit = hookCatalog[hook].timeoutMs === null ? null : timeoutMs;
    const place = { position: all.indexOf(registration) + 1, of: all.length };
    return { hook, priority, timeoutMs: limit, ...place, ...(only === undefined ? {} : { only }) };
  });
}

function namesByKind(registered: Registrations): PluginRecord['registrations'] {
  const names: Partial<Record<RegistrationKind, readonly string[]>> = {};
  for (const { kind, names: more } of listRegistrations(registered))
    if (more.length > 0) names[kind] = [...(names[kind] ?? []), ...more];
  return names;
}

/** What the user has said no to; a config or manifest that can't be read says nothing. */
const saysNo: readonly DisabledBy[] = ['master-switch', 'denylist', 'entry', 'slot', 'allowlist', 'consent'];

/** True where a plugin does not run since the user wants that. Pure. */
export function isSwitchedOff({ plan: { enablement, needsConsent }, instance }: PluginSlot): boolean {
  if (instance !== undefined || enablement.enabled) return false;
  const waits = enablement.by === 'consent' && needsConsent?.why === 'files-changed';
  return saysNo.includes(enablement.by) && !waits;
}

/** One that did not come up, as its chat commands tell. Pure. */
export function failedPlugin({ plan, instance, failure }: PluginSlot): readonly FailedPlugin[] {
  const { id, manifest, problem } = plan;
  const { message: reason } = failure ?? problem ?? {};
  if (instance !== undefined || reason === undefined) return [];
  return [{ pluginId: id, reason, aliases: manifest?.commandAliases ?? [] }];
}
