/** The `exports` and `imports` maps of a package.json, as Node reads them. Pure. */

/** `null` is a door that the package keeps shut. */
export type MapTarget = string | null | undefined;

type Conditions = readonly string[];

/**
 * What `subpath` ('.' or './x') of a package stands for in its `exports`: a path that starts with './'.
 * @returns undefined where the map does not name it, null where it shuts it
 */
export function resolveExportsMap(exports: unknown, subpath: string, conditions: Conditions): MapTarget {
  const map = isSubpathMap(exports) ? exports : { '.': exports };
  return resolveInMap(map, subpath, conditions);
}

/** The same for `#name` in the `imports` of a package; the answer may also be the name of another package. */
export function resolveImportsMap(imports: unknown, name: string, conditions: Conditions): MapTarget {
  return isObject(imports) ? resolveInMap(imports, name, conditions) : undefined;
}

function resolveInMap(
  map: Readonly<Record<string, unknown>>,
  key: string,
  conditions: Conditions,
): MapTarget {
  if (Object.hasOwn(map, key) && !key.includes('*')) return resolveTarget(map[key], '', conditions);
  const patterns = Object.keys(map)
    .filter((pattern) => pattern.includes('*'))
    .sort(byPrecision);
  for (const pattern of patterns) {
    const [head = '', tail = ''] = pattern.split('*');
    const fits = key.startsWith(head) && key.endsWith(tail) && key.length > head.length + tail.length - 1;
    if (fits && key !== head) {
      return resolveTarget(map[pattern], key.slice(head.length, key.length - tail.length), conditions);
    }
  }
  return undefined;
}

function resolveTarget(target: unknown, star: string, conditions: Conditions): MapTarget {
  if (typeof target === 'string') return target.replaceAll('*', star);
  if (target === null) return null;
  if (Array.isArray(target)) {
    for (const each of target as readonly unknown[]) {
      const found = resolveTarget(each, star, conditions);
      if (found != null) return found;
    }
    return null;
  }
  if (!isObject(target)) return undefined;
  for (const [condition, each] of Object.entries(target)) {
    if (condition !== 'default' && !conditions.includes(condition)) continue;
    const found = resolveTarget(each, star, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSubpathMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.keys(value).some((key) => key.startsWith('.'));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The longest text before the star wins, as in Node. */
function byPrecision(a: string, b: string): number {
  return b.indexOf('*') - a.indexOf('*') || b.length - a.length;
}
