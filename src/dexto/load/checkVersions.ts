import semver from 'semver';
import type { PluginEntry } from '../agentFile/agentFile.ts';
import { dextoCoreVersion } from './dextoCoreVersion.ts';

export interface VersionFacts {
  readonly entry: Pick<PluginEntry, 'name' | 'version'>;
  /** Its own. */
  readonly version?: string;
  /** Ranges of `@dexto/core` that it asks for, with where each stands. */
  readonly api: readonly { readonly range: string; readonly from: string }[];
}

type VersionCheck =
  | { readonly ok: true; readonly odd: readonly string[] }
  | {
      readonly ok: false;
      readonly by: 'agent file' | 'plugin';
      readonly problem: string;
      readonly hint: string;
    };

/**
 * Whether the plugin is one that the agent file asks for, and this program one that the plugin asks for (Dexto plugin specification,
 * TODOs for Future). A range of the plugin that can't be read is named and ignored; one of the agent file is a mistake to be corrected.
 * Pure.
 */
export function checkVersions({ entry, version, api }: VersionFacts): VersionCheck {
  if (entry.version !== undefined) {
    const problem = problemWith(entry.version, version);
    if (problem !== undefined) return { ok: false, by: 'agent file', ...problem };
  }
  const odd: string[] = [];
  for (const { range, from } of api) {
    const wanted = rangeOf(range);
    if (wanted === undefined) {
      odd.push(`${from} of plugin '${entry.name}' is no version range: ${range}; it is ignored`);
    } else if (!semver.satisfies(dextoCoreVersion, wanted, { includePrerelease: true })) {
      return {
        ok: false,
        by: 'plugin',
        problem: `its ${from} asks for @dexto/core ${range}, and here it is ${dextoCoreVersion}`,
        hint: 'Use a version of the plugin that fits.',
      };
    }
  }
  return { ok: true, odd };
}

function problemWith(
  range: string,
  version: string | undefined,
): { readonly problem: string; readonly hint: string } | undefined {
  const wanted = rangeOf(range);
  if (wanted === undefined) {
    return {
      problem: `the agent file asks for version ${range}, which is no version range`,
      hint: 'Write a range such as ^1.2.0.',
    };
  }
  const own = semver.valid(version);
  if (own === null) {
    const said = version === undefined ? 'says none' : `says ${version}, which is no version`;
    return {
      problem: `the agent file asks for version ${range}, and the plugin ${said}`,
      hint: "Give its class `static version = '1.0.0'`, or its package.json a version.",
    };
  }
  if (semver.satisfies(own, wanted, { includePrerelease: true })) return undefined;
  return {
    problem: `the agent file asks for version ${range}, and the plugin is ${own}`,
    hint: 'Change the range, or take a version of the plugin that fits.',
  };
}

/** Workspaces write `workspace:^1.0.0`, or `workspace:*`. */
function rangeOf(range: string): string | undefined {
  const text = range.trim().replace(/^workspace:/u, '');
  return semver.validRange(text) ?? undefined;
}
