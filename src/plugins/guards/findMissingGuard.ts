// Threat: whoever can't get past a guard gets rid of it: with a change to its files, which then wait for a consent, with settings
// or a manifest that can't be read, with a line in the workspace's config, or by taking it out of the workspace. So a plugin
// that could stop something when it last ran is missed, and no turn begins until the user has decided.
import type { Diagnostic, DiagnosticFix } from '../../contracts/diagnostic.ts';
import { isGuardHook } from '../../hooks/hookCatalog.ts';
import type { Consent, SeenPlugin } from '../consent/consentStore.ts';
import { dextoIdPrefix } from '../dexto/dextoPlugins.ts';
import { isInside } from '../discover/isInside.ts';
import { decideEnablement } from '../enablement.ts';
import { errorDiagnostic, infoDiagnostic, type DiagnosticSubject } from '../pluginDiagnostics.ts';
import type { DisabledBy, PluginRecord, PluginsConfig } from '../pluginTypes.ts';

export interface GuardFacts {
  /** Of both dialects. */
  readonly plugins: readonly PluginRecord[];
  readonly config: PluginsConfig;
  /** Absolute path of the user's config. */
  readonly configPath: string;
  /** Absolute paths of the workspace folders, as they are opened and with links resolved. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  /** False where the user has switched agent files off, or has named another than the workspace's. */
  readonly readsAgentFileOfWorkspace: boolean;
  readonly consents: readonly Consent[];
  readonly seen: readonly SeenPlugin[];
}

/** Why no turn may begin: the first guard that should run and does not; undefined where none is missing. Pure. */
export function findMissingGuard(facts: GuardFacts): Diagnostic | undefined {
  for (const id of facts.config.required) {
    const missing = requiredOf(id, facts);
    if (missing !== undefined) return missing;
  }
  // In a window that is not trusted only bundled plugins run, and no tool that could do harm.
  if (!facts.trusted) return undefined;
  for (const plugin of facts.plugins) {
    const missing = missingOf(plugin, facts);
    if (missing !== undefined) return missing;
  }
  return goneOf(facts);
}

/** What is to be remembered of the plugins that run. The bundled ones come with the program: their text says it. Pure. */
export function seenNow(plugins: readonly PluginRecord[]): readonly SeenPlugin[] {
  return plugins
    .filter(({ status, origin }) => status === 'loaded' && origin !== 'bundled')
    .map((plugin) => ({ id: plugin.id, rootDir: plugin.rootDir, guards: guardsNow(plugin) }));
}

function guardsNow({ hookNames, registrations, dexto }: PluginRecord): boolean {
  return (
    dexto?.blocking === true || hookNames.some(isGuardHook) || registrations['tool policy'] !== undefined
  );
}

function requiredOf(id: string, { plugins, configPath }: GuardFacts): Diagnostic | undefined {
  const own = plugins.filter((each) => each.id === id);
  if (own.some(({ status }) => status === 'loaded')) return undefined;
  const [plugin] = own;
  const why = plugin === undefined ? 'there is none of that id' : `it does not run: ${plugin.reason}`;
  return errorDiagnostic('plugin_required_missing', `Your config requires plugin ${id}, and ${why}`, {
    pluginId: id,
    hint: 'Bring it to run, or take it out of plugins.required.',
    fixes: [...(plugin === undefined ? [] : waysToRun(plugin)), { kind: 'open-file', path: configPath }],
  });
}

function waysToRun({ id, needsConsent, failurePhase, disabledBy }: PluginRecord): readonly DiagnosticFix[] {
  const enable = { kind: 'enable-plugin', pluginId: id } as const;
  if (needsConsent?.why === 'files-changed') return [{ kind: 'show-plugin-changes', pluginId: id }, enable];
  if (failurePhase === 'validation') return [{ kind: 'configure-plugin', pluginId: id }];
  if (failurePhase !== undefined) return [{ kind: 'reload-plugin', pluginId: id }];
  return disabledBy === 'consent' || disabledBy === 'entry' ? [enable] : [];
}

function missingOf(plugin: PluginRecord, facts: GuardFacts): Diagnostic | undefined {
  if (plugin.status === 'loaded' || !couldStop(plugin, facts)) return undefined;
  const { id, name, disabledBy, needsConsent, dexto, error, reason } = plugin;
  const disable = { kind: 'disable-plugin', pluginId: id } as const;
  const stop = (code: string, why: string, subject: DiagnosticSubject): Diagnostic =>
    errorDiagnostic(code, `Plugin ${name} can stop what the agent does, and ${why}`, {
      pluginId: id,
      source: plugin.source,
      ...subject,
    });
  if (disabledBy === 'consent') {
    const hasChanged = needsConsent?.why === 'files-changed';
    return stop(
      hasChanged ? 'guard_changed' : 'guard_consent_lost',
      hasChanged
        ? 'its files or settings have changed since you allowed it.'
        : 'your consent for it is not there any more.',
      {
        hint: 'Look at it, then enable it again or disable it.',
        fixes: [...waysToRun(plugin), disable],
      },
    );
  }
  if (disabledBy !== undefined && offByConfig.includes(disabledBy)) {
    if (plugin.origin !== 'workspace' || isSwitchedOff(plugin, facts)) return undefined;
    return stop('guard_switched_off', `the workspace switches it off: ${reason}.`, {
      hint: 'Correct the config of the workspace, or disable the plugin yourself.',
      fixes: [disable],
    });
  }
  // The agent file answers for its own plugins where they fail.
  if (dexto !== undefined || (disabledBy !== undefined && disabledBy !== 'problem')) return undefined;
  if (error !== undefined) {
    if (isSwitchedOff(plugin, facts)) return undefined;
    return stop('guard_failed', `it does not run: ${error}`, {
      hint: 'Correct it, or disable it to go on without it.',
      fixes: [...waysToRun(plugin), disable],
    });
  }
  return infoDiagnostic(
    'guard_loading',
    `Plugin ${name}, which can stop what the agent does, is still loading.`,
    {
      pluginId: id,
      hint: 'Try again in a moment.',
    },
  );
}

const offByConfig: readonly DisabledBy[] = ['master-switch', 'denylist', 'entry', 'allowlist', 'default'];

/**
 * What it could stop when it last ran. Of one that is not known to have run, what its text says; where nobody can read that any
 * more, or it is another one by now, the user's consent is enough.
 */
function couldStop(plugin: PluginRecord, { seen, consents }: GuardFacts): boolean {
  const { id, rootDir, disabledBy, needsConsent, asks, dexto } = plugin;
  const known =
    seen.find((each) => each.id === id && each.rootDir === rootDir) ??
    // A manifest that can't be read tells no id.
    (disabledBy === 'problem' ? seen.find((each) => each.rootDir === rootDir) : undefined);
  if (known !== undefined) return known.guards;
  const hasChanged = needsConsent?.why === 'files-changed';
  if (disabledBy === 'consent' && !hasChanged) return false;
  const isOff = disabledBy !== undefined && offByConfig.includes(disabledBy);
  const isAgreed = consents.some((each) => each.id === id && each.rootDir === rootDir);
  if (isAgreed && (hasChanged || isOff || asks === undefined)) return true;
  return !isOff && (dexto?.blocking === true || asks?.hooks.some(isGuardHook) === true);
}

/** The user's own config says so, whatever the workspace's says. */
function isSwitchedOff({ id, origin, kind }: PluginRecord, { config }: GuardFacts): boolean {
  const facts = { config, trusted: true, consent: 'given' } as const;
  return !decideEnablement({ id, origin, kind, enabledByDefault: true }, facts).enabled;
}

/** Of a workspace alone: what the user takes out of the home folder is meant to be gone. */
function goneOf(facts: GuardFacts): Diagnostic | undefined {
  const { plugins, seen, roots, config, readsAgentFileOfWorkspace } = facts;
  const gone = seen.find(({ id, rootDir, guards }) => {
    const isThere = plugins.some(
      (each) => each.rootDir === rootDir && (each.id === id || each.disabledBy === 'problem'),
    );
    const isMeant = config.deny.includes(id) || config.entries[id]?.enabled === false || !config.enabled;
    const isRead = readsAgentFileOfWorkspace || !id.startsWith(dextoIdPrefix);
    return guards && !isThere && !isMeant && isRead && roots.some((root) => isInside(root, rootDir));
  });
  if (gone === undefined) return undefined;
  const { id, rootDir } = gone;
  const message = `Plugin ${id} could stop what the agent does, and it is not in this workspace any more.`;
  return errorDiagnostic('guard_gone', message, {
    pluginId: id,
    source: rootDir,
    hint: 'Put it back, or go on without it.',
    fixes: [{ kind: 'forget-plugin', pluginId: id, rootDir }],
  });
}
