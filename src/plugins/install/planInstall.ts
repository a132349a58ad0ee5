import { coerce, compare, parse, type SemVer } from 'semver';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../pluginTypes.ts';
import type { InstallRecord } from '../discover/readInstallRecord.ts';
import type { PackageScan } from './scanPackage.ts';
import type { InstallFinding, Severity } from './findInCode.ts';
import type { StagedPlugin } from './readStagedPlugin.ts';

/** What an install does to what is there. */
export interface InstallChange {
  readonly kind: 'new' | 'update' | 'downgrade' | 'other-files';
  /** The version that is there; absent where it names none. */
  readonly from?: string;
}

/** What the user agrees to. */
export interface InstallProposal {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** What the user named. */
  readonly source: string;
  /** Where it is going to lie. */
  readonly folder: string;
  readonly change: InstallChange;
  readonly scan: PackageScan;
  /** Of the scan, of plugins that listen to `before_install`, and about plugins of the same id; the worst first. */
  readonly findings: readonly InstallFinding[];
}

interface InstallFacts {
  readonly plugin: StagedPlugin;
  readonly source: string;
  readonly folder: string;
  readonly before: InstallRecord | undefined;
  readonly scan: PackageScan;
  /** Findings of `before_install` handlers, as they came. */
  readonly fromHooks: readonly unknown[];
  readonly others: readonly Pick<PluginRecord, 'id' | 'origin' | 'rootDir'>[];
}

/** Puts together what is asked before anything is installed. Pure. */
export function planInstall(facts: InstallFacts): InstallProposal {
  const { plugin, source, folder, before, scan, fromHooks } = facts;
  const { id, name = id, description } = plugin.manifest;
  const findings = [...sameId(id, facts), ...scan.findings, ...fromHooks.map(toFinding)];
  return {
    id,
    name: inertLine(name, 80),
    source,
    folder,
    change: changeOf(before, plugin.version),
    scan,
    findings: findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)),
    ...(plugin.version === undefined ? {} : { version: inertLine(plugin.version, 40) }),
    ...(description === undefined ? {} : { description: inertLine(description, 300) }),
  };
}

const order: readonly Severity[] = ['critical', 'warn', 'info'];

function changeOf(before: InstallRecord | undefined, version: string | undefined): InstallChange {
  if (before === undefined) return { kind: 'new' };
  const from = before.pluginVersion;
  const [old, next] = [semverOf(from), semverOf(version)];
  const step = old === undefined || next === undefined ? 0 : compare(next, old);
  const kind = step < 0 ? 'downgrade' : step > 0 || from !== version ? 'update' : 'other-files';
  return { kind, ...(from === undefined ? {} : { from: inertLine(from, 40) }) };
}

function semverOf(version: string | undefined): SemVer | undefined {
  return version === undefined ? undefined : (parse(version) ?? coerce(version) ?? undefined);
}

/** Who of two with one id runs must not come as a surprise. */
function sameId(id: string, { others, folder }: InstallFacts): readonly InstallFinding[] {
  const about = (severity: Severity, message: string): InstallFinding => ({
    ruleId: 'same-id',
    severity,
    file: 'openclaw.plugin.json',
    line: 1,
    message,
  });
  return others.flatMap((other) => {
    if (other.id !== id || other.rootDir === folder) return [];
    switch (other.origin) {
      case 'bundled':
        return [about('critical', `takes the place of the plugin ${id} that comes with pincer`)];
      case 'config':
        return [about('warn', `is going to be overridden by ${other.rootDir}, which your config names`)];
      case 'workspace':
      case 'global':
        return [about('warn', `takes the place of ${other.rootDir}`)];
    }
  });
}

/** What a handler says is text from a stranger. */
function toFinding(value: unknown): InstallFinding {
  const given = isRecord(value) ? value : {};
  const textOf = (key: string, fallback: string): string => {
    const text = given[key];
    return typeof text === 'string' && text.trim() !== '' ? inertLine(text, 300) : fallback;
  };
  const { severity, line } = given;
  return {
    ruleId: textOf('ruleId', 'before_install'),
    severity: severity === 'info' || severity === 'critical' ? severity : 'warn',
    file: textOf('file', ''),
    line: typeof line === 'number' && Number.isInteger(line) && line > 0 ? line : 1,
    message: textOf('message', 'a plugin warns of this package without saying why'),
  };
}
