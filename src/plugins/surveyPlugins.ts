import { basename } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import type { Consent, ConsentStore } from './consent/consentStore.ts';
import { judgeConsent } from './consent/judgeConsent.ts';
import { fileHashes, readPluginFiles, type PluginFiles } from './consent/readPluginFiles.ts';
import { scanAsks } from './consent/scanAsks.ts';
import { discoverPlugins, type PluginPlaces } from './discover/discoverPlugins.ts';
import { decideEnablement, type ConsentState, type Enablement } from './enablement.ts';
import { loadManifest, type LoadedManifest } from './manifest/loadManifest.ts';
import { manifestFileName } from './manifest/parseManifest.ts';
import { pickWinners } from './pickWinners.ts';
import { errorDiagnostic, warnDiagnostic } from './pluginDiagnostics.ts';
import type {
  ConsentNeed,
  PluginAsks,
  PluginCandidate,
  PluginManifest,
  PluginsConfig,
} from './pluginTypes.ts';

/** All that is known and decided about a plugin before any of its code runs. */
export interface PluginPlan {
  readonly id: string;
  readonly candidate: PluginCandidate;
  readonly manifestPath: string;
  /** Absent where it could not be read; `problem` says why. */
  readonly manifest?: PluginManifest;
  readonly problem?: { readonly phase: 'manifest' | 'load'; readonly message: string };
  readonly enablement: Enablement;
  readonly needsConsent?: ConsentNeed;
  readonly asks?: PluginAsks;
  /** What was read of its folder, where it may have to be loaded or asked about; never for bundled plugins. */
  readonly files?: PluginFiles;
  /** Hashes by path, for the consent. */
  readonly fileHashes?: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface SurveyInput {
  readonly places: PluginPlaces;
  readonly config: PluginsConfig;
  readonly trusted: boolean;
}

export interface Survey {
  readonly plans: readonly PluginPlan[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Known {
  readonly id: string;
  readonly origin: PluginCandidate['origin'];
  readonly candidate: PluginCandidate;
  readonly loaded: LoadedManifest;
}

/** Finds all plugins and decides which of them run. Reads files as data only; never rejects. */
export async function surveyPlugins(
  fs: FileSystem,
  consentStore: ConsentStore,
  { places, config, trusted }: SurveyInput,
): Promise<Survey> {
  const found = await discoverPlugins(fs, places);
  const known: Known[] = [];
  for (const candidate of found.candidates) {
    const loaded = await loadManifest(fs, candidate);
    known.push({
      id: loaded.ok ? loaded.manifest.id : candidate.idHint,
      origin: candidate.origin,
      candidate,
      loaded,
    });
  }
  const losers = pickWinners(known.filter((each) => each.loaded.ok));
  const { consents, diagnostics } = await readConsents(consentStore);
  const plans: PluginPlan[] = [];
  let memorySlotFilledBy: string | undefined;
  for (const plugin of known) {
    const facts = { config, trusted, ...(memorySlotFilledBy === undefined ? {} : { memorySlotFilledBy }) };
    const plan = await planPlugin(fs, plugin, losers.get(plugin), facts, consents);
    if (plan.enablement.enabled && plan.manifest?.kind.includes('memory') === true)
      memorySlotFilledBy ??= plan.id;
    plans.push(plan);
  }
  return { plans, diagnostics: [...found.diagnostics, ...diagnostics] };
}

async function readConsents(
  store: ConsentStore,
): Promise<{ readonly consents: readonly Consent[]; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    return { consents: await store.consents(), diagnostics: [] };
  } catch (error) {
    return { consents: [], diagnostics: [errorDiagnostic('consents_unreadable', errorMessage(error))] };
  }
}

interface Facts {
  readonly config: PluginsConfig;
  readonly trusted: boolean;
  readonly memorySlotFilledBy?: string;
}

async function planPlugin(
  fs: FileSystem,
  { id, candidate, loaded }: Known,
  winner: Known | undefined,
  facts: Facts,
  consents: readonly Consent[],
): Promise<PluginPlan> {
  const base = { id, candidate, manifestPath: loaded.path };
  if (!loaded.ok) {
    const { message } = loaded.diagnostic;
    const problem = { phase: 'manifest', message } as const;
    return {
      ...base,
      problem,
      enablement: { enabled: false, reason: message },
      diagnostics: [loaded.diagnostic],
    };
  }
  const { manifest } = loaded;
  const plan = { ...base, manifest, diagnostics: loaded.diagnostics };
  if (winner !== undefined) {
    const reason = `overridden by ${winner.origin} plugin`;
    return {
      ...plan,
      enablement: { enabled: false, reason },
      diagnostics: [...plan.diagnostics, duplicate(id, candidate, winner)],
    };
  }
  const subject = { ...manifest, origin: candidate.origin };
  const first = decideEnablement(subject, { ...facts, consent: 'not-needed' });
  if (!first.enabled || candidate.origin === 'bundled') return { ...plan, enablement: first };
  try {
    const files = await readPluginFiles(fs, { rootDir: candidate.rootDir, ...looseFilesOf(candidate) });
    const read = {
      ...plan,
      files,
      fileHashes: fileHashes(files.files),
      asks: scanAsks(files.files, manifest),
    };
    if (candidate.origin !== 'workspace') return { ...read, enablement: first };
    const question = { id, rootDir: candidate.rootDir, hash: files.hash, files: read.fileHashes };
    const needsConsent = judgeConsent(question, consents);
    const consent: ConsentState = needsConsent?.why ?? 'given';
    const enablement = decideEnablement(subject, { ...facts, consent });
    return { ...read, enablement, ...(needsConsent === undefined ? {} : { needsConsent }) };
  } catch (error) {
    const problem = { phase: 'load', message: `failed to load plugin: ${errorMessage(error)}` } as const;
    const diagnostic = errorDiagnostic('plugin_files_unreadable', problem.message, {
      pluginId: id,
      source: candidate.source,
    });
    return {
      ...plan,
      problem,
      enablement: { enabled: false, reason: problem.message },
      diagnostics: [...plan.diagnostics, diagnostic],
    };
  }
}

function looseFilesOf(candidate: PluginCandidate): { readonly looseFiles?: readonly string[] } {
  return candidate.isLooseFile ? { looseFiles: [basename(candidate.source), manifestFileName] } : {};
}

function duplicate(id: string, loser: PluginCandidate, winner: Known): Diagnostic {
  const message = `duplicate plugin id detected; ${loser.origin} plugin will be overridden by ${winner.origin} plugin (${loser.source})`;
  return warnDiagnostic('plugin_duplicate_id', message, { pluginId: id, source: loser.source });
}
