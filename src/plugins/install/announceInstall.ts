import { join, posix } from 'node:path';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { BeforeInstallEvent, BeforeInstallOutcome } from '../../hooks/payloads/lifecycleHooks.ts';
import type { InstallRequestKind } from '../../hooks/payloads/hookContexts.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';
import type { InstallRecord } from '../discover/readInstallRecord.ts';
import type { InstallSource } from './readSource.ts';
import type { StagedPlugin } from './readStagedPlugin.ts';
import { readPackageJson, type PackageScan } from './scanPackage.ts';

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
export async function announceInstall(
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
