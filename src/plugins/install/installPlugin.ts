// Threat: what is installed runs later with the user's rights. So the bytes that are scanned, shown and agreed to are a copy
// that nothing else writes to; that copy is moved into place as a whole; and no script of the package ever runs.

import type { Clock, FileSystem } from '../../host/ports.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { ConsentStore } from '../consent/consentStore.ts';
import { readPluginFiles, type PluginFile } from '../consent/readPluginFiles.ts';
import { readInstallRecord, type InstallRecord } from '../discover/readInstallRecord.ts';
import type { PluginRecord } from '../pluginTypes.ts';
import type { RunCommand } from '../openclaw/runtime/runCommand.ts';
import { fetchDependencies } from './fetchDependencies.ts';
import { folderTaken, notInstallable } from './installErrors.ts';
import { installFolder } from './installFolder.ts';
import { writeInstallRecord } from './installRecord.ts';
import { planInstall, type InstallProposal } from './planInstall.ts';
import { readStagedPlugin, type StagedPlugin } from './readStagedPlugin.ts';
import { scanPackage, readPackageJson, type PackageScan } from './scanPackage.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { BeforeInstallEvent, BeforeInstallOutcome } from '../../hooks/payloads/lifecycleHooks.ts';
import type { InstallRequestKind } from '../../hooks/payloads/hookContexts.ts';
import { readArchive } from './readArchive.ts';

export interface InstallParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** Installs go below `plugins` of this folder. */
  readonly home: string;
  /** Where the user asks for it: `vscode`, `cli`. */
  readonly surface: string;
  /** Asked `before_install`. */
  readonly hooks: Pick<HookRunner, 'has' | 'modify'>;
  readonly consents: ConsentStore;
  /** The plugins that are known, for those of the same id. */
  readonly others: readonly PluginRecord[];
  /** Asks whether npm may fetch the packages that it needs and does not bring. */
  readonly confirmDependencies: (id: string, names: readonly string[]) => Promise<boolean>;
  /** Starts npm; default: as a child process. */
  readonly run?: RunCommand;
  /** Asks the user. */
  readonly confirm: (proposal: InstallProposal) => Promise<boolean>;
  /** Loads what was put in place. A text says why it can't stay: then the version before it is put back. */
  readonly tryOut: (id: string) => Promise<string | undefined>;
}

export type InstallOutcome =
  | { readonly kind: 'installed'; readonly proposal: InstallProposal }
  /** Exactly these files are installed already. */
  | { readonly kind: 'unchanged'; readonly proposal: InstallProposal }
  | { readonly kind: 'declined'; readonly proposal: InstallProposal }
  /** A plugin stopped it. */
  | { readonly kind: 'blocked'; readonly id: string; readonly by: string; readonly reason: string }
  /** The new version did not load; the one before it is back. */
  | { readonly kind: 'rolled-back'; readonly proposal: InstallProposal; readonly reason: string };

/**
 * Installs the plugin in a folder or a `.tgz` for the user, after a scan, `before_install` hooks (OpenClaw hooks) and a question.
 * Replaces another version of it that was installed before. What it needs and does not bring is fetched by npm, without scripts, after a
 * question of its own.
 * @throws PincerError `plugin_not_installable`, `plugin_dependencies_failed`, `plugin_archive_refused`, `plugin_folder_taken`, `plugin_link_escapes`,
 * `plugin_too_large`, `io_*`; nothing has changed then
 */
export async function installPlugin(parts: InstallParts, sourcePath: string): Promise<InstallOutcome> {
  const { fs, home } = parts;
  const source = await readSource(fs, sourcePath);
  const staged = await stageFiles(fs, home, source.files);
  try {
    const plugin = await readStagedPlugin(fs, staged, sourcePath);
    const folder = installFolder(home, plugin.manifest.id);
    if (folder === sourcePath) throw notInstallable(`${sourcePath} is where installed plugins lie.`);
    const before = await readBefore(parts, folder, plugin.manifest.id);
    const given = { source, sourcePath, staged, plugin, folder, before };
    const own = await readPluginFiles(fs, { rootDir: staged });
    const scan = scanPackage(own.files, plugin.manifest);
    const { missingDependencies: missing } = scan;
    if (missing.length === 0) return await install(parts, { ...given, ...own });
    if (!(await parts.confirmDependencies(plugin.manifest.id, missing))) {
      const { others } = parts;
      const facts = { plugin, source: sourcePath, folder, before, scan, others, fromHooks: [] };
      return { kind: 'declined', proposal: planInstall(facts) };
    }
    await fetchDependencies(fs, staged, parts.run);
    return await install(parts, { ...given, ...(await readPluginFiles(fs, { rootDir: staged })) });
  } finally {
    await fs.remove(staged);
  }
}

interface Staged {
  readonly source: InstallSource;
  readonly sourcePath: string;
  /** The folder with the copy. */
  readonly staged: string;
  readonly plugin: StagedPlugin;
  readonly folder: string;
  readonly before: InstallRecord | undefined;
  readonly files: readonly PluginFile[];
  readonly hash: string;
}

async function install(parts: InstallParts, given: Staged): Promise<InstallOutcome> {
  const { plugin, folder, before, files, hash, sourcePath } = given;
  const { id } = plugin.manifest;
  const scan = scanPackage(files, plugin.manifest);
  const asked = await announceInstall(parts.hooks, { ...given, surface: parts.surface, scan });
  if (asked.block !== undefined) {
    return { kind: 'blocked', id, by: asked.block.pluginId, reason: asked.block.reason };
  }
  const facts = { plugin, source: sourcePath, folder, before, scan, others: parts.others };
  const proposal = planInstall({ ...facts, fromHooks: asked.findings });
  if (before?.hash === hash) return { kind: 'unchanged', proposal };
  return (await parts.confirm(proposal))
    ? await putInPlace(parts, given, proposal)
    : { kind: 'declined', proposal };
}

async function putInPlace(
  { fs, clock, home, consents, tryOut }: InstallParts,
  { plugin, sourcePath, staged, folder, before, hash }: Staged,
  proposal: InstallProposal,
): Promise<InstallOutcome> {
  const { id } = plugin.manifest;
  const record: InstallRecord = {
    version: 1,
    id,
    folder,
    source: sourcePath,
    installedAt: new Date(clock.now()).toISOString(),
    hash,
    ...(plugin.version === undefined ? {} : { pluginVersion: plugin.version }),
  };
  // The user has just been told what it asks for; the first run is no news.
  await consents.announceOnce(id, folder);
  const swapped = await swapFolder(fs, staged, folder);
  const undo = async (): Promise<void> => {
    await swapped.undo();
    await writeInstallRecord(fs, home, id, before);
  };
  let reason: string | undefined;
  try {
    await writeInstallRecord(fs, home, id, record);
    reason = await tryOut(id);
  } catch (error) {
    await undo();
    throw error;
  }
  if (reason !== undefined && before !== undefined) {
    await undo();
    return { kind: 'rolled-back', proposal, reason };
  }
  await swapped.keep();
  return { kind: 'installed', proposal };
}

/** What lies at the place already, if it was installed. */
async function readBefore(
  { fs, home }: InstallParts,
  folder: string,
  id: string,
): Promise<InstallRecord | undefined> {
  const there = await fs.lstat(folder);
  if (there === undefined) return undefined;
  const record = there.kind === 'directory' ? await readInstallRecord(fs, home, id) : undefined;
  if (record !== undefined) return record;
  throw folderTaken(folder, 'Move it away, or give the other plugin another id.');
}

/** Writes files into a new folder below `parent`; what fails half-way leaves nothing. Gives its path. */
async function stageFiles(fs: FileSystem, parent: string, files: readonly PluginFile[]): Promise<string> {
  const folder = join(parent, `.install-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    for (const file of files) {
      const path = join(folder, file.path);
      await mkdir(dirname(path), { recursive: true });
      if (file.kind === 'file') await writeFile(path, file.content);
    }
    // Last, so that no file is written through a link.
    for (const file of files) if (file.kind === 'link') await symlink(file.target, join(folder, file.path));
    return folder;
  } catch (error) {
    await fs.remove(folder);
    throw error;
  }
}

/** A folder that was put in the place of another. One of the two must be called. */
interface SwappedFolder {
  /** Removes what was there before. */
  keep(): Promise<void>;
  /** Puts back what was there before. */
  undo(): Promise<void>;
}

/** Moves `staged` to `target`, at once: there is the old folder or the new one, never half of one. */
async function swapFolder(fs: FileSystem, staged: string, target: string): Promise<SwappedFolder> {
  const aside = `${staged}-before`;
  const hadOne = (await fs.lstat(target)) !== undefined;
  await mkdir(dirname(target), { recursive: true });
  if (hadOne) await rename(target, aside);
  const putBack = async (): Promise<void> => {
    if (hadOne) await rename(aside, target);
  };
  try {
    await rename(staged, target);
  } catch (error) {
    await putBack();
    throw error;
  }
  return {
    keep: () => fs.remove(aside),
    async undo() {
      await rename(target, staged);
      await putBack();
      await fs.remove(staged);
    },
  };
}

interface InstallAnnouncement {
  /** Where the user asked for it: `vscode`, `cli`. */
  readonly surface: string;
  /** What would be installed. */
  readonly files: readonly PluginFile[];
  readonly source: InstallSource;
  readonly sourcePath: string;
  /** A folder with the files as they would be installed, which handlers may look into. */
  readonly staged: string;
  readonly plugin: StagedPlugin;
  readonly before: InstallRecord | undefined;
  readonly scan: PackageScan;
}

/**
 * Asks the plugins that listen to `before_install` (OpenClaw hooks, Install hooks): about the plugin, then about each skill that it brings,
 * until one is blocked, which blocks the whole. Field names are upstream's.
 */
async function announceInstall(
  hooks: Pick<HookRunner, 'has' | 'modify'>,
  announcement: InstallAnnouncement,
): Promise<BeforeInstallOutcome> {
  if (!hooks.has('before_install')) return { findings: [] };
  const { source, surface: origin } = announcement;
  const requestKind = source.kind === 'folder' ? ('plugin-dir' as const) : ('plugin-archive' as const);
  let outcome = await hooks.modify('before_install', toEvent(announcement, requestKind), {
    targetType: 'plugin',
    requestKind,
    origin,
  });
  for (const folder of skillFoldersIn(announcement)) {
    if (outcome.block !== undefined) break;
    const about = { targetType: 'skill', requestKind: 'skill-install', origin } as const;
    const next = await hooks.modify('before_install', toSkillEvent(announcement, folder), about);
    outcome = { ...next, findings: [...outcome.findings, ...next.findings] };
  }
  return outcome;
}

/** Folders with a SKILL.md in those that the manifest names, relative to the package. */
function skillFoldersIn({ files, plugin }: InstallAnnouncement): readonly string[] {
  const named = plugin.manifest.skills.map((each) => posix.normalize(each).replace(/\/$/u, ''));
  const isNamed = (folder: string): boolean =>
    named.some((each) => each === '.' || folder === each || folder.startsWith(`${each}/`));
  return files
    .filter(({ path }) => posix.basename(path) === 'SKILL.md')
    .map(({ path }) => posix.dirname(path))
    .filter(isNamed);
}

function toSkillEvent(announcement: InstallAnnouncement, folder: string): BeforeInstallEvent {
  const { plugin: _plugin, ...event } = toEvent(announcement, 'skill-install');
  const installId = posix.basename(folder);
  return {
    ...event,
    targetType: 'skill',
    targetName: installId,
    sourcePath: join(announcement.staged, folder),
    skill: { installId },
  };
}

function toEvent(
  { source, sourcePath, staged, surface, plugin, before, scan }: InstallAnnouncement,
  kind: InstallRequestKind,
): BeforeInstallEvent {
  const count = (severity: string): number =>
    scan.findings.filter((finding) => finding.severity === severity).length;
  const { name, openclaw } = readPackageJson(source.files);
  return {
    targetType: 'plugin',
    targetName: plugin.manifest.id,
    sourcePath: staged,
    sourcePathKind: 'directory',
    origin: surface,
    request: { kind, mode: before === undefined ? 'install' : 'update', requestedSpecifier: sourcePath },
    builtinScan: {
      status: 'ok',
      scannedFiles: scan.fileCount,
      critical: count('critical'),
      warn: count('warn'),
      info: count('info'),
      ...scan,
    },
    plugin: {
      contentType: 'package',
      pluginId: plugin.manifest.id,
      manifestId: plugin.manifest.id,
      ...(plugin.version === undefined ? {} : { version: plugin.version }),
      ...(typeof name === 'string' ? { packageName: name } : {}),
      ...(openclaw === undefined ? {} : { openclaw }),
    },
  };
}

/** What once said in a package that it was installed; records lie elsewhere now. */
const formerRecordName = '.pincer-install.json';

interface InstallSource {
  readonly kind: 'folder' | 'archive';
  readonly files: readonly PluginFile[];
}

/**
 * The files of what the user named, a folder or a `.tgz`. A record of former installs is left out.
 * @throws PincerError `plugin_not_installable`, `plugin_archive_refused`, `plugin_link_escapes`, `plugin_too_large`, `io_*`
 */
async function readSource(fs: FileSystem, path: string): Promise<InstallSource> {
  const kind = (await fs.stat(path))?.kind;
  if (kind === undefined)
    throw notInstallable(`There is nothing at ${path}.`, 'Name a plugin folder or a .tgz.');
  if (kind === 'directory') {
    const { files } = await readPluginFiles(fs, { rootDir: path });
    return { kind: 'folder', files: withoutRecord(files) };
  }
  if (kind === 'file' && /\.(?:tgz|tar\.gz)$/iu.test(path)) {
    return { kind: 'archive', files: withoutRecord(await readArchive(fs, path)) };
  }
  throw notInstallable(`${path} is neither a folder nor a .tgz.`, 'Name a plugin folder or a .tgz.');
}

function withoutRecord(files: readonly PluginFile[]): readonly PluginFile[] {
  return files.filter(({ path }) => path.toLowerCase() !== formerRecordName);
}
