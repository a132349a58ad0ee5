import semver from 'semver';
import { isRecord } from '../../base/json.ts';

type HostVersionCheck =
  { readonly ok: true; readonly odd: readonly string[] } | { readonly ok: false; readonly message: string };

/**
 * Whether this program is new enough for a package, by `openclaw.install.minHostVersion` (a floor such as `>=2026.5.1`) and
 * `openclaw.compat.pluginApi` (a range). Messages are upstream's. A requirement that can't be read is named and ignored. Pure.
 */
export function checkHostVersion(packageJson: unknown, hostVersion: string): HostVersionCheck {
  const openclaw = recordIn(packageJson, 'openclaw');
  const floor = recordIn(openclaw, 'install')['minHostVersion'];
  const range = recordIn(openclaw, 'compat')['pluginApi'];
  const odd: string[] = [];
  const minimum = floor === undefined ? undefined : minimumOf(floor);
  if (floor !== undefined && minimum === undefined) {
    odd.push('package.json openclaw.install.minHostVersion is no floor such as ">=2026.5.1"; it is ignored');
  }
  if (minimum !== undefined && semver.lt(hostVersion, minimum)) {
    return {
      ok: false,
      message: `plugin requires OpenClaw >=${minimum}, but this host is ${hostVersion}; skipping load`,
    };
  }
  const wanted = range === undefined ? undefined : rangeOf(range);
  if (range !== undefined && wanted === undefined) {
    odd.push('package.json openclaw.compat.pluginApi is no version range; it is ignored');
  }
  if (wanted !== undefined && !semver.satisfies(hostVersion, wanted, { includePrerelease: true })) {
    return {
      ok: false,
      message: `plugin requires plugin API ${String(range)}, but this host is ${hostVersion}; skipping load`,
    };
  }
  return { ok: true, odd };
}

function minimumOf(floor: unknown): string | undefined {
  if (typeof floor !== 'string' || floor.length > 100) return undefined;
  return semver.valid(floor.trim().replace(/^>=\s*/u, '')) ?? undefined;
}

/** A bare version, such as `2026.5` or `2026.5.1`, is a floor. */
function rangeOf(range: unknown): string | undefined {
  if (typeof range !== 'string' || range.trim() === '' || range.length > 100) return undefined;
  const text = range.trim();
  const bare = /^v?\d+(?:\.\d+){0,2}(?:-[\w.-]+)?$/u.test(text);
  return semver.validRange(bare ? `>=${text}` : text) ?? undefined;
}

function recordIn(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const inner = isRecord(value) ? value[key] : undefined;
  return isRecord(inner) ? inner : {};
}
