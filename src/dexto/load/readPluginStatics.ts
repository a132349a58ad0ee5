import { isRecord } from '../../base/json.ts';

/** What a plugin says about itself beside its methods. */
export interface PluginStatics {
  readonly version?: string;
  /** A range of versions of `@dexto/core`. */
  readonly apiVersion?: string;
  /** Names of plugins that must be ready before it. */
  readonly requires: readonly string[];
}

/**
 * Reads `static version`, `static apiVersion`, `static requires` and `static dependencies`; a factory may have the same fields,
 * and the version may stand in the instance. Fields of another shape mean something else and are passed over. Pure.
 */
export function readPluginStatics(made: object, instance: object): PluginStatics {
  const { constructor } = instance as { readonly constructor?: unknown };
  const holders = [made, constructor].filter(isHolder);
  const first = (field: string): string | undefined =>
    [...holders, instance]
      .filter(isHolder)
      .map((each) => textOf(each[field]))
      .find(Boolean);
  const version = first('version');
  const apiVersion = holders.map((each) => textOf(each['apiVersion'])).find(Boolean);
  const lists = holders.flatMap((each) => [each['requires'], each['dependencies']]);
  return {
    ...(version === undefined ? {} : { version }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    requires: [...new Set(lists.flatMap(namesIn))],
  };
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'function' || isRecord(value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : undefined;
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
}

/** What the package.json of a plugin says about versions. Pure. */
export function readPackageVersions(packageJson: unknown): {
  readonly version?: string;
  readonly api?: string;
} {
  if (!isRecord(packageJson)) return {};
  const peers = packageJson['peerDependencies'];
  const version = textOf(packageJson['version']);
  const api = isRecord(peers) ? textOf(peers['@dexto/core']) : undefined;
  return { ...(version === undefined ? {} : { version }), ...(api === undefined ? {} : { api }) };
}
