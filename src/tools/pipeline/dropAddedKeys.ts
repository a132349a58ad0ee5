import type { Params } from '../../contracts/jsonTypes.ts';

/**
 * Parameters without those of the `unknown` keys that `given` did not have: what a plugin added to a call whose tool takes no such
 * thing. `dropped` names them, as `edits.0.note`. Changes nothing it is given.
 */
export function dropAddedKeys(
  given: Params,
  params: Params,
  unknown: readonly (readonly string[])[],
): { readonly kept: Params; readonly dropped: readonly string[] } {
  const added = unknown.filter((path) => !hasPath(given, path));
  const kept = structuredClone(params);
  for (const path of added) removeAt(kept, path);
  return { kept, dropped: added.map((path) => path.join('.')) };
}

function hasPath(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  return isObject(value) && Object.hasOwn(value, key) && hasPath(value[key], rest);
}

function removeAt(value: unknown, [key, ...rest]: readonly string[]): void {
  if (key === undefined || !isObject(value)) return;
  if (rest.length === 0) Reflect.deleteProperty(value, key);
  else removeAt(value[key], rest);
}

/** A list, too: its keys are numbers. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
