// Threat: whoever can't get past a guard gets rid of it: with a change to its files, which then wait for a consent, with settings
// or a manifest that can't be read, with a line in the workspace's config, or by taking it out of the workspace. So a plugin
// that could stop something when it last ran is missed, and no turn begins until the user has decided.
import type { Diagnostic, DiagnosticFix } from '../../contracts/diagnostic.ts';
import { isGuardHook } from '../../hooks/hookCatalog.ts';
import type { Consent, SeenPlugin } from '../consent/consentRecords.ts';
import {
  dextoIdPrefix,
  entryOf,
  type DisabledBy,
  type PluginRecord,
  type PluginsConfig,
} from '../pluginTypes.ts';
import { decideEnablement } from '../enablement.ts';
import { errorDiagnostic, infoDiagnostic, type DiagnosticSubject } from '../pluginDiagnostics.ts';

export interface GuardFacts {
  /** Of both dialects. */
  readonly plugins: readonly PluginRecord[];
  readonly config: PluginsConfig;
  /** Absolute path of the user's config. */
  readonly configPath: string;
  /** The workspace folders with links resolved; absolute. */
  readonly roots: readonly string[];
  /** A path with links resolved. */
  readonly realOf: (path: string) => string;
  readonly trusted: boolean;
  /** False where the user has switched agent files off, or has named another than the workspace's. */
  readonly readsAgentFileOfWorkspace: boolean;
  readonly consents: readonly Consent[];
  readonly seen: readonly SeenPlugin[];
}

/** Why no turn may begin: the guards that should run and do not, the worst first. Pure. */
export function findMissingGuards(facts: GuardFacts): readonly Diagnostic[] {
  const required = facts.config.required.flatMap((id) => requiredOf(id, facts) ?? []);
  // In a window that is not trusted only bundled plugins run, and no tool that could do harm.
  if (!facts.trusted) return required;
  return [
    ...required,
    ...facts.plugins.flatMap((plugin) => missingOf(plugin, facts) ?? []),
    ...goneOf(facts),
  ];
}

/** What is to be remembered of the plugins that run. The bundled ones come with the program: their text says it. Pure. */
export function seenNow(
  plugins: readonly PluginRecord[],
  realOf: (path: string) => string,
): readonly SeenPlugin[] {
  return plugins
    .filter(({ status, origin }) => status === 'loaded' && origin !== 'bundled')
    .map((plugin) => {
      const { id, rootDir, workspaceDir } = plugin;
      const place = workspaceDir === undefined ? {} : { workspaceDir: realOf(workspaceDir) };
      return { id, rootDir, ...place, guards: guardsNow(plugin) };
    });
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
  const why = plugin === undefined ? 'there is no plugin with that id' : `it does not run: ${plugin.reason}`;
  return errorDiagnostic('plugin_required_missing', `Your config requires plugin ${id}, and ${why}`, {
    pluginId: id,
    hint: 'Fix it, or take it out of plugins.required.',
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
  if (plugin.status === 'loaded') return weakenedOf(plugin, facts);
  if (!couldStop(plugin, facts)) return undefined;
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
        : 'your consent for it is gone.',
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
  if (disabledBy === 'override') {
    const isReplaced = facts.plugins.some((each) => each.id === id && each.status === 'loaded');
    if (isReplaced) return undefined;
    return stop('guard_overridden', 'another plugin of its id stands in its place, which does not run.', {
      hint: 'Remove the other one, or disable the plugin to go on without it.',
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

const offByConfig: readonly DisabledBy[] = [
  'master-switch',
  'denylist',
  'entry',
  'allowlist',
  'default',
  'agent-file',
];

/** The files are those that the user agreed to, and it can stop nothing any more: the workspace has said so elsewhere. */
function weakenedOf(plugin: PluginRecord, facts: GuardFacts): Diagnostic | undefined {
  const { id, name, rootDir, source, origin } = plugin;
  if (origin !== 'workspace' || guardsNow(plugin)) return undefined;
  const withheld = heldBackOf(plugin, facts);
  if (withheld !== undefined) return withheld;
  const access = entryOf(facts.config, id).hooks;
  // The user's own word.
  if (plugin.dexto === undefined && access?.allowConversationAccess !== true) return undefined;
  if (!knownOf(plugin, facts).some(({ guards }) => guards)) return undefined;
  const message = `Plugin ${name} could stop what the agent does, and the workspace has taken that from it.`;
  return errorDiagnostic('guard_weakened', message, {
    pluginId: id,
    source,
    hint: 'Correct the config or the agent file of the workspace, or go on without the plugin.',
    fixes: [{ kind: 'forget-plugin', pluginId: id, rootDir }],
  });
}

/** What made it a guard was agreed to, and waits now: by another look at its text, or because the consent for it is gone. */
function heldBackOf(plugin: PluginRecord, facts: GuardFacts): Diagnostic | undefined {
  const { id, name, source, heldBack } = plugin;
  if (heldBack.length === 0 || !knownOf(plugin, facts).some(({ guards }) => guards)) return undefined;
  const message = `Plugin ${name} could stop what the agent does, and what it registers for that was not shown: ${heldBack.join(', ')}.`;
  return errorDiagnostic('guard_held_back', message, {
    pluginId: id,
    source,
    hint: 'Allow it, or disable the plugin to go on without it.',
    fixes: [
      { kind: 'allow-registrations', pluginId: id, names: heldBack },
      { kind: 'disable-plugin', pluginId: id },
    ],
  });
}

/** Under what it was written down. A manifest that can't be read tells no id. */
function knownOf(plugin: PluginRecord, { seen, realOf }: GuardFacts): readonly SeenPlugin[] {
  const { id, rootDir, workspaceDir, disabledBy } = plugin;
  const own = workspaceDir === undefined ? undefined : realOf(workspaceDir);
  const isOwn = (each: SeenPlugin): boolean =>
    each.rootDir === rootDir || (own !== undefined && each.workspaceDir === own);
  const byId = seen.filter((each) => each.id === id && isOwn(each));
  return byId.length > 0 || disabledBy !== 'problem' ? byId : seen.filter((each) => each.rootDir === rootDir);
}

/**
 * What it could stop when it last ran. Of one that is not known to have run, what its text says; where nobody can read that any
 * more, or it is another one by now, the user's consent is enough.
 */
function couldStop(plugin: PluginRecord, facts: GuardFacts): boolean {
  const { id, rootDir, disabledBy, needsConsent, asks, dexto } = plugin;
  const known = knownOf(plugin, facts);
  if (known.length > 0) return known.some(({ guards }) => guards);
  const hasChanged = needsConsent?.why === 'files-changed';
  if ((disabledBy === 'consent' && !hasChanged) || disabledBy === 'override') return false;
  const isOff = disabledBy !== undefined && offByConfig.includes(disabledBy);
  const isAgreed = facts.consents.some((each) => each.id === id && each.rootDir === rootDir);
  if (isAgreed && (hasChanged || isOff || asks === undefined)) return true;
  return !isOff && (dexto?.blocking === true || asks?.hooks.some(isGuardHook) === true);
}

/** The user's own config says so, whatever the workspace's says. */
function isSwitchedOff(
  { id, origin, kind }: Pick<PluginRecord, 'id' | 'origin' | 'kind'>,
  { config }: GuardFacts,
): boolean {
  const facts = { config, trusted: true, consent: 'given' } as const;
  return !decideEnablement({ id, origin, kind, enabledByDefault: true }, facts).enabled;
}

/** Of a workspace alone: what the user takes out of the home folder is meant to be gone. */
function goneOf(facts: GuardFacts): readonly Diagnostic[] {
  const { plugins, seen, roots, readsAgentFileOfWorkspace } = facts;
  const gone = seen.filter((each) => {
    const { id, rootDir, workspaceDir, guards } = each;
    const isHere = workspaceDir !== undefined && roots.includes(workspaceDir);
    const isThere = plugins.some(
      (plugin) => plugin.id === id || (plugin.rootDir === rootDir && plugin.disabledBy === 'problem'),
    );
    const isRead = readsAgentFileOfWorkspace || !id.startsWith(dextoIdPrefix);
    return (
      guards && isHere && !isThere && isRead && !isSwitchedOff({ id, origin: 'workspace', kind: [] }, facts)
    );
  });
  return gone.map(({ id, rootDir }) =>
    errorDiagnostic(
      'guard_gone',
      `Plugin ${id} could stop what the agent does, and it is no longer in this workspace.`,
      {
        pluginId: id,
        hint: 'Put it back, or go on without it.',
        fixes: [{ kind: 'forget-plugin', pluginId: id, rootDir }],
      },
    ),
  );
}
