import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';

/** True where its manifest describes settings. */
export function isConfigurable({ configJsonSchema }: PluginRecord): boolean {
  const properties = configJsonSchema?.['properties'];
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;
}

/** True for a plugin that runs from where the user may write it, the workspace or the home folder, and that has no mark yet. */
export function mayDevelop({ origin, status, developing, isInstalled, dexto }: PluginRecord): boolean {
  const isInHome = origin === 'global' && isInstalled !== true && dexto === undefined;
  return (origin === 'workspace' || isInHome) && status !== 'disabled' && developing !== true;
}

/** True for a plugin of the workspace that the user has allowed at some time: it has run, or its files changed since. */
export function mayForget({ origin, status, failurePhase, needsConsent }: PluginRecord): boolean {
  if (origin !== 'workspace') return false;
  const hasRun = status === 'loaded' || failurePhase === 'load' || failurePhase === 'register';
  return hasRun || needsConsent?.why === 'files-changed';
}

/** What commands are about: those that take a plugin offer these to pick from, and stand in the palette while there is one. */
export const pluginIs = {
  on: ({ status }) => status !== 'disabled',
  off: ({ status }) => status === 'disabled',
  changed: ({ needsConsent }) => needsConsent?.why === 'files-changed',
  undeveloped: mayDevelop,
  developing: ({ developing }) => developing === true,
  allowed: mayForget,
  global: ({ origin }) => origin === 'global',
  ofAgentFile: ({ dexto }) => dexto !== undefined,
} satisfies Record<string, (plugin: PluginRecord) => boolean>;

// Threat: names and reasons come from a plugin's files. They are shown on one line, without marks that reverse or hide text.
/** A plugin's name as lists show it. */
export function shownName(plugin: Pick<PluginRecord, 'id' | 'name'>): string {
  return inertLine(plugin.name, 60) || inertLine(plugin.id, 60);
}
