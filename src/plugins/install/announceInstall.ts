import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { BeforeInstallEvent, BeforeInstallOutcome } from '../../hooks/payloads/lifecycleHooks.ts';
import type { InstallRecord } from '../discover/readInstallRecord.ts';
import type { InstallSource } from './readSource.ts';
import type { StagedPlugin } from './readStagedPlugin.ts';
import { readPackageJson, type PackageScan } from './scanPackage.ts';

export interface InstallAnnouncement {
  readonly source: InstallSource;
  readonly sourcePath: string;
  /** A folder with the files as they would be installed, which handlers may look into. */
  readonly staged: string;
  readonly plugin: StagedPlugin;
  readonly before: InstallRecord | undefined;
  readonly scan: PackageScan;
}

/** Asks the plugins that listen to `before_install` (OpenClaw hooks, install hooks). Field names are upstream's. */
export async function announceInstall(
  hooks: Pick<HookRunner, 'has' | 'modify'>,
  announcement: InstallAnnouncement,
): Promise<BeforeInstallOutcome> {
  if (!hooks.has('before_install')) return { findings: [] };
  const requestKind = announcement.source.kind === 'folder' ? 'plugin-dir' : 'plugin-archive';
  const context = { targetType: 'plugin', requestKind, origin: 'cli' };
  return await hooks.modify('before_install', toEvent(announcement, requestKind), context);
}

function toEvent(
  { source, sourcePath, staged, plugin, before, scan }: InstallAnnouncement,
  kind: string,
): BeforeInstallEvent {
  const count = (severity: string): number =>
    scan.findings.filter((finding) => finding.severity === severity).length;
  const { name, openclaw } = readPackageJson(source.files);
  return {
    targetType: 'plugin',
    targetName: plugin.manifest.id,
    sourcePath: staged,
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
