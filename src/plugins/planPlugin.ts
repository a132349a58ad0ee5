import { basename } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import type { ConsentRecords } from './consent/consentRecords.ts';
import { isDeveloping, judgeConsent, moreOf, withSettings } from './consent/judgeConsent.ts';
import { fileHashes, readPluginFiles, type PluginFiles } from './consent/readPluginFiles.ts';
import { scanAsks } from './consent/scanAsks.ts';
import { isRecorded, type InstallRecord } from './discover/readInstallRecord.ts';
import { notCompiled } from './discover/scanPluginFolder.ts';
import { decideEnablement, type Enablement } from './enablement.ts';
import { loadManifest } from './manifest/loadManifest.ts';
import type { PlaceOf } from './manifest/manifestPlaces.ts';
import { manifestFileName } from './manifest/parseManifest.ts';
import { errorDiagnostic, warnDiagnostic } from './pluginDiagnostics.ts';
import {
  configFor,
  entryOf,
  type ConsentNeed,
  type PluginAsks,
  type PluginCandidate,
  type PluginManifest,
  type PluginsConfig,
  type DisabledBy,
} from './pluginTypes.ts';
import type { SlotKey } from './slots.ts';
import { findPlainSecrets } from './manifest/findPlainSecrets.ts';
import { schemaWarnings } from './manifest/validatePluginConfig.ts';

/** All that is known and decided about a plugin before any of its code runs. */
export interface PluginPlan {
  readonly id: string;
  readonly candidate: PluginCandidate;
  readonly manifestPath: string;
  /** Absent where it could not be read; `problem` says why. */
  readonly manifest?: PluginManifest;
  /** Where things stand in the manifest's file; absent with the manifest. */
  readonly placeOf?: PlaceOf;
  /** The manifest names no kind, so that its code may; `manifest` has what is known of that. */
  readonly kindIsOpen?: boolean;
  readonly problem?: { readonly phase: 'manifest' | 'load'; readonly message: string };
  readonly enablement: Enablement;
  /** The exclusive slots that it fills; absent, none. */
  readonly fills?: readonly SlotKey[];
  readonly needsConsent?: ConsentNeed;
  /** The user has marked it "I am developing this". */
  readonly developing?: boolean;
  readonly asks?: PluginAsks;
  /** What was read of its folder, where it may have to be loaded or asked about; never for bundled plugins. */
  readonly files?: PluginFiles;
  /** Hashes by path, for the consent. */
  readonly fileHashes?: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlanFacts extends Pick<ConsentRecords, 'consents' | 'intended'> {
  readonly config: PluginsConfig;
  readonly trusted: boolean;
  /** Of what the user had installed. */
  readonly installs: readonly InstallRecord[];
  /** The kind that a plugin's code was found to name, by its entry file. */
  readonly kindOf?: (source: string) => readonly string[] | undefined;
}

/** The user has said no, but may say yes with one click: then it must be known whether that is a consent as well. */
const askedAnyway: readonly DisabledBy[] = ['denylist', 'entry', 'slot', 'allowlist'];

/** Decides about one plugin as if there were no other. Reads files as data only; never rejects. */
export async function planPlugin(
  fs: FileSystem,
  found: PluginCandidate,
  { config, trusted, installs, kindOf, ...agreed }: PlanFacts,
): Promise<PluginPlan> {
  const { origin } = found;
  const loaded = await loadManifest(fs, found);
  if (!loaded.ok) {
    const base = { id: found.idHint, candidate: found, manifestPath: loaded.path, diagnostics: [] };
    return withProblem(base, 'manifest', loaded.diagnostic);
  }
  const { placeOf, path } = loaded;
  const kindIsOpen = loaded.manifest.kind.length === 0;
  const manifest = kindIsOpen ? { ...loaded.manifest, kind: kindOf?.(found.source) ?? [] } : loaded.manifest;
  const { id } = manifest;
  const candidate = isRecorded(id, found, installs) ? { ...found, isInstalled: true } : found;
  const about = { pluginId: id, source: candidate.source };
  const developing = isDeveloping({ id, rootDir: candidate.rootDir }, agreed);
  // Who writes a plugin compiles it for others, if at all.
  const notes = (candidate.notes ?? [])
    .filter(({ code }) => !developing || code !== notCompiled)
    .map((note) => ({ ...note, pluginId: id }));
  const mark = developing ? { developing } : {};
  const known = { id, candidate, manifestPath: path, manifest, placeOf, kindIsOpen, ...mark };
  const plan = { ...known, diagnostics: [...notes, ...loaded.diagnostics] };
  const facts = { config: configFor(config, origin), trusted, settings: workspaceSettings(config, id) };
  const first = decideEnablement({ ...manifest, origin }, { ...facts, consent: 'not-needed' });
  if (first.enabled && candidate.versionProblem !== undefined) {
    const hint = 'Install an older version of the plugin, or a newer one of this program.';
    const tooOld = errorDiagnostic('plugin_version_unsupported', candidate.versionProblem, {
      ...about,
      hint,
    });
    return withProblem(plan, 'load', tooOld);
  }
  const diagnostics = first.enabled
    ? [...plan.diagnostics, ...checkSettings({ ...known, config: entryOf(facts.config, id).config })]
    : plan.diagnostics;
  return await withFiles(fs, { ...plan, diagnostics, enablement: first }, facts, agreed.consents);
}

async function withFiles(
  fs: FileSystem,
  plan: PluginPlan & { readonly manifest: PluginManifest },
  facts: Pick<PlanFacts, 'config' | 'trusted'> & { readonly settings: unknown },
  consents: ConsentRecords['consents'],
): Promise<PluginPlan> {
  const { id, candidate, manifest, enablement: first } = plan;
  const { origin, rootDir } = candidate;
  const askAnyway = origin === 'workspace' && !first.enabled && askedAnyway.includes(first.by);
  // Of bundled ones only settings can be wrong; then it must be known whether a guard is missing.
  const isSettled = origin === 'bundled' && entryOf(facts.config, id).config === undefined;
  if (isSettled || (!first.enabled && !askAnyway)) return plan;
  try {
    const files = await readPluginFiles(fs, { rootDir, ...looseFilesOf(candidate) });
    if (origin === 'bundled') return { ...plan, asks: scanAsks(files.files, manifest) };
    const { linkedTo } = files;
    const asks = { ...scanAsks(files.files, manifest), ...(linkedTo === undefined ? {} : { linkedTo }) };
    const read = { ...plan, asks };
    if (origin !== 'workspace') return { ...read, files };
    const agreed = withSettings({ hash: files.hash, files: fileHashes(files.files) }, facts.settings);
    const needsConsent = judgeConsent({ id, rootDir, ...agreed }, consents);
    const consent = needsConsent?.why ?? 'given';
    return {
      ...read,
      asks: { ...asks, ...moreOf({ id, rootDir }, consents) },
      fileHashes: agreed.files,
      enablement: decideEnablement({ ...manifest, origin }, { ...facts, consent }),
      ...(first.enabled ? { files } : {}),
      ...(needsConsent === undefined ? {} : { needsConsent }),
    };
  } catch (error) {
    const message = `failed to load plugin: ${errorMessage(error)}`;
    const about = { pluginId: id, source: candidate.source };
    return first.enabled
      ? withProblem(plan, 'load', errorDiagnostic('plugin_files_unreadable', message, about))
      : plan;
  }
}

/** The settings of a plugin where a workspace config brings them, not the user's own; undefined where it does not. */
function workspaceSettings(config: PluginsConfig, id: string): unknown {
  if (entryOf(config, id).config !== undefined) return undefined;
  return entryOf(configFor(config, 'workspace'), id).config;
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
    enablement: { enabled: false, reason: message, by: 'problem' },
    diagnostics,
  };
}

function looseFilesOf(candidate: PluginCandidate): { readonly looseFiles?: readonly string[] } {
  return candidate.isLooseFile ? { looseFiles: [basename(candidate.source), manifestFileName] } : {};
}

interface SettingsToCheck {
  readonly manifest: PluginManifest;
  readonly manifestPath: string;
  readonly placeOf: PlaceOf;
  /** As the config file has it, references to secrets unresolved. */
  readonly config: unknown;
}

/** What is odd about a plugin's schema and settings but does not keep it from running. Pure; never shows a value. */
function checkSettings(settings: SettingsToCheck): readonly Diagnostic[] {
  const { manifest, manifestPath, placeOf, config } = settings;
  const { id } = manifest;
  const about = { pluginId: id, source: manifestPath, ...placeOf(['configSchema']) };
  return [
    ...schemaWarnings(manifest.configSchema).map((message) =>
      warnDiagnostic('plugin_config_schema_odd', message, about),
    ),
    ...findPlainSecrets(manifest.uiHints, config).map(({ path }) =>
      warnDiagnostic(
        'plugin_config_plain_secret',
        `the setting ${path} of plugin ${id} is a secret that stands in your config as plain text; keep it in secret storage`,
        {
          pluginId: id,
          hint: 'Put { "secret": "name" } or { "env": "NAME" } in its place.',
          fixes: [{ kind: 'configure-plugin', pluginId: id }],
        },
      ),
    ),
  ];
}
