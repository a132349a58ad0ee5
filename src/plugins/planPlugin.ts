import { basename } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import type { Consent } from './consent/consentStore.ts';
import { judgeConsent } from './consent/judgeConsent.ts';
import { fileHashes, readPluginFiles, type PluginFiles } from './consent/readPluginFiles.ts';
import { scanAsks } from './consent/scanAsks.ts';
import { decideEnablement, type Enablement } from './enablement.ts';
import { loadManifest } from './manifest/loadManifest.ts';
import { manifestFileName } from './manifest/parseManifest.ts';
import { errorDiagnostic } from './pluginDiagnostics.ts';
import {
  configFor,
  type ConsentNeed,
  type PluginAsks,
  type PluginCandidate,
  type PluginManifest,
  type PluginsConfig,
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

export interface PlanFacts {
  readonly config: PluginsConfig;
  readonly trusted: boolean;
  readonly consents: readonly Consent[];
}

/** Decides about one plugin as if there were no other. Reads files as data only; never rejects. */
export async function planPlugin(
  fs: FileSystem,
  candidate: PluginCandidate,
  { config, trusted, consents }: PlanFacts,
): Promise<PluginPlan> {
  const { origin, rootDir } = candidate;
  const loaded = await loadManifest(fs, candidate);
  if (!loaded.ok) {
    const base = { id: candidate.idHint, candidate, manifestPath: loaded.path, diagnostics: [] };
    return withProblem(base, 'manifest', loaded.diagnostic);
  }
  const { manifest, diagnostics } = loaded;
  const { id } = manifest;
  const plan = { id, candidate, manifestPath: loaded.path, manifest, diagnostics };
  const subject = { ...manifest, origin };
  const facts = { config: configFor(config, origin), trusted };
  const first = decideEnablement(subject, { ...facts, consent: 'not-needed' });
  if (!first.enabled || origin === 'bundled') return { ...plan, enablement: first };
  try {
    const files = await readPluginFiles(fs, { rootDir, ...looseFilesOf(candidate) });
    const hashes = fileHashes(files.files);
    const read = { ...plan, files, fileHashes: hashes, asks: scanAsks(files.files, manifest) };
    if (origin !== 'workspace') return { ...read, enablement: first };
    const needsConsent = judgeConsent({ id, rootDir, hash: files.hash, files: hashes }, consents);
    const enablement = decideEnablement(subject, { ...facts, consent: needsConsent?.why ?? 'given' });
    return { ...read, enablement, ...(needsConsent === undefined ? {} : { needsConsent }) };
  } catch (error) {
    const message = `failed to load plugin: ${errorMessage(error)}`;
    const about = { pluginId: id, source: candidate.source };
    return withProblem(plan, 'load', errorDiagnostic('plugin_files_unreadable', message, about));
  }
}

function withProblem(
  plan: Omit<PluginPlan, 'enablement'>,
  phase: 'manifest' | 'load',
  diagnostic: Diagnostic,
): PluginPlan {
  const { message } = diagnostic;
  const diagnostics = [...plan.diagnostics, diagnostic];
  return {
    ...plan,
    problem: { phase, message },
    enablement: { enabled: false, reason: message },
    diagnostics,
  };
}

function looseFilesOf(candidate: PluginCandidate): { readonly looseFiles?: readonly string[] } {
  return candidate.isLooseFile ? { looseFiles: [basename(candidate.source), manifestFileName] } : {};
}
