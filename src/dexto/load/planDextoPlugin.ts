// Threat: a cloned repository brings an agent file whose plugins are code. So what a workspace's file names, or what lies in a workspace,
// runs only once the user has agreed to exactly its files, which of them is run, its settings and the storage that it gets.
import { dirname, isAbsolute, join, relative } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { stableStringify } from '../../base/json.ts';
import type { AgentFile, PluginEntry } from '../agentFile/agentFile.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileStat, FileSystem } from '../../host/ports.ts';
import type { ConsentRecords } from '../../plugins/consent/consentRecords.ts';
import { isDeveloping, judgeConsent, moreOf, withSettings } from '../../plugins/consent/judgeConsent.ts';
import { fileHashes, readPluginFiles, type PluginFiles } from '../../plugins/consent/readPluginFiles.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import { decideEnablement, type ConsentState, type Enablement } from '../../plugins/enablement.ts';
import { explainDisabled } from '../../plugins/explainDisabled.ts';
import {
  configFor,
  dextoIdPrefix,
  type ConsentNeed,
  type PluginAsks,
  type PluginOrigin,
  type PluginsConfig,
  type DisabledBy,
} from '../../plugins/pluginTypes.ts';
import { loadFailure } from './loadFailure.ts';
import type { DextoFailure, DextoLoader, DextoModule } from './loadTypes.ts';
import { planPlace, type DextoPlace } from './planPlace.ts';
import { readLooseFiles, readPackageFiles } from './readPackageFiles.ts';
import { scanDextoAsks } from './scanDextoAsks.ts';

/** All that is known and decided about a plugin of the agent file before any of its code runs. */
export interface DextoPlan {
  /** `dexto:<name>` */
  readonly id: string;
  readonly entry: PluginEntry;
  readonly origin: PluginOrigin;
  readonly enablement: Enablement;
  /** Of a custom plugin, where it has been looked for. */
  readonly module?: DextoModule;
  /** Of a built-in, or where nothing was found, those of the agent file. */
  readonly candidate: { readonly rootDir: string; readonly source: string; readonly isLooseFile: boolean };
  readonly needsConsent?: ConsentNeed;
  readonly developing?: boolean;
  readonly asks?: PluginAsks;
  readonly files?: PluginFiles;
  readonly fileHashes?: Readonly<Record<string, string>>;
  /** It is on and can't be loaded. */
  readonly failure?: DextoFailure;
  /** Equal keys mean that loading again would give the same. May hold secrets. */
  readonly key: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface DextoPlanFacts extends Pick<ConsentRecords, 'consents' | 'intended'> {
  readonly fs: FileSystem;
  readonly resolve: DextoLoader['resolve'];
  readonly file: AgentFile;
  readonly config: PluginsConfig;
  /** The workspace folders; links resolved. */
  readonly roots: readonly string[];
  /** Folders that hold more than one plugin's files; links resolved. */
  readonly shared: readonly string[];
}

/** The user has said no, but may say yes with one click: then it must be known whether that is a consent as well. */
const askedAnyway: readonly DisabledBy[] = ['denylist', 'entry', 'allowlist'];

/** Decides about one plugin as if there were no other. Reads files as data only; never rejects. */
export async function planDextoPlugin(entry: PluginEntry, facts: DextoPlanFacts): Promise<DextoPlan> {
  const { file } = facts;
  const { line: _line, ...content } = entry;
  const bare = {
    id: `${dextoIdPrefix}${entry.name}`,
    entry,
    origin: originOf(entry, file),
    candidate: { rootDir: dirname(file.path), source: file.path, isLooseFile: true },
    key: stableStringify(content),
    diagnostics: [],
  };
  if (!entry.enabled) return { ...bare, enablement: offByFile };
  const enablement = decideDextoEnablement(bare, facts.config, 'not-needed');
  const plan = { ...bare, enablement };
  return withReason(entry.kind === 'builtin' ? plan : await withModule(plan, facts));
}

/** What the user's config, trust and consent make of a plugin that the file has switched on. Pure. */
export function decideDextoEnablement(
  { id, origin }: Pick<DextoPlan, 'id' | 'origin'>,
  config: PluginsConfig,
  consent: ConsentState,
): Enablement {
  const subject = { id, origin, kind: [], enabledByDefault: true };
  const decision = decideEnablement(subject, { config: configFor(config, origin), trusted: true, consent });
  if (!decision.enabled) return decision;
  return { enabled: true, reason: consent === 'given' ? 'enabled by you' : 'named in the agent file' };
}

const offByFile: Enablement = { enabled: false, by: 'agent-file', reason: 'disabled in the agent file' };

function originOf({ kind }: PluginEntry, { origin }: AgentFile): PluginOrigin {
  if (kind === 'builtin') return 'bundled';
  return origin === 'workspace' ? 'workspace' : 'config';
}

/** Threat: the user's file names code in a workspace, where the agent, or a pull, can change it. */
function originAt(source: string, { origin }: DextoPlan, { roots }: DextoPlanFacts): PluginOrigin {
  return roots.some((root) => isInside(root, source)) ? 'workspace' : origin;
}

async function withModule(plan: DextoPlan, facts: DextoPlanFacts): Promise<DextoPlan> {
  const { enablement, origin, entry } = plan;
  const mayBeAsked = origin === 'workspace' && !enablement.enabled && askedAnyway.includes(enablement.by);
  if (!enablement.enabled && !mayBeAsked) return plan;
  await lookWhereNamed(entry, facts);
  const found = await facts.resolve(entry, facts.file);
  if (!found.ok) return enablement.enabled ? { ...plan, failure: found } : plan;
  const { ok: _ok, ...module } = found;
  const { source } = module;
  if (module.isProvided === true) return { ...plan, module, candidate: { ...plan.candidate, source } };
  const homes = [facts.file.dir, ...facts.roots];
  const place = planPlace(module, { homes, shared: facts.shared });
  const located = { ...plan, module, candidate: { ...place, source }, origin: originAt(source, plan, facts) };
  try {
    const files = await readFiles(facts.fs, module, place);
    return withFiles({ ...located, key: stableStringify([plan.key, source, files.hash]) }, files, facts);
  } catch (error) {
    if (!enablement.enabled) return located;
    // The agent file is what names them, and where another place can be named.
    const message = `plugin '${entry.name}': the files of its module ${source} can not be read: ${errorMessage(error)}`;
    const hint = error instanceof PincerError ? error.hint : undefined;
    const about = {
      entry,
      agentFile: facts.file.path,
      phase: 'load',
      ...(hint === undefined ? {} : { hint }),
    } as const;
    return { ...located, failure: loadFailure({ ...about, code: 'PLUGIN_LOAD_FAILED', message }) };
  }
}

/**
 * Looks at every place whose change may make the name mean another file: that it comes, that a link on the way leads elsewhere, or
 * that `tag.js` comes beside `tag/index.js`. Modules are resolved past `fs`, which would not note it.
 */
async function lookWhereNamed({ module = '' }: PluginEntry, { fs, file }: DextoPlanFacts): Promise<void> {
  const look = (path: string): Promise<FileStat | undefined> => fs.stat(path).catch(() => undefined);
  if (isAbsolute(module)) {
    if ((await look(module))?.kind !== 'file') await look(dirname(module));
    return;
  }
  for (let folder = file.dir; ; folder = dirname(folder)) {
    await look(join(folder, 'node_modules', module));
    if (folder === dirname(folder)) return;
  }
}

async function readFiles(fs: FileSystem, module: DextoModule, place: DextoPlace): Promise<PluginFiles> {
  const { packageDir, source } = module;
  if (packageDir !== undefined) return await readPackageFiles(fs, packageDir);
  return place.isLooseFile
    ? await readLooseFiles(fs, source)
    : await readPluginFiles(fs, { rootDir: place.rootDir });
}

function withFiles(plan: DextoPlan, files: PluginFiles, facts: DextoPlanFacts): DextoPlan {
  const { id, origin, entry, candidate } = plan;
  const asks = scanDextoAsks(files.files, facts.file.storage);
  const hashes = fileHashes(files.files);
  if (origin !== 'workspace') return { ...plan, asks, files, fileHashes: hashes };
  const { rootDir } = candidate;
  // Which of its files is run counts: one that lies there for another purpose was agreed to as that.
  const module = relative(rootDir, candidate.source);
  const settings = { module, config: entry.config, storage: facts.file.storage };
  const agreed = withSettings({ hash: files.hash, files: hashes }, settings);
  const needsConsent = judgeConsent({ id, rootDir, ...agreed }, facts.consents);
  const { more } = moreOf({ id, rootDir }, facts.consents);
  return {
    ...plan,
    ...(more === undefined ? { asks } : { asks: { ...asks, more }, key: stableStringify([plan.key, more]) }),
    files,
    fileHashes: agreed.files,
    enablement: decideDextoEnablement(plan, facts.config, needsConsent?.why ?? 'given'),
    ...(needsConsent === undefined ? {} : { needsConsent }),
    ...(isDeveloping({ id, rootDir }, facts) ? { developing: true } : {}),
  };
}

function withReason(plan: DextoPlan): DextoPlan {
  const why = explainDisabled(plan.id, plan.candidate.source, plan.enablement);
  return why === undefined ? plan : { ...plan, diagnostics: [...plan.diagnostics, why] };
}
