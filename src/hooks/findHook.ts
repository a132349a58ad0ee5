import { editDistance } from '../base/editDistance.ts';
import { hookAliases, hookNames } from './hookCatalog.ts';
import type { HookName } from './hookMap.ts';

/** The hook that a plugin means by `name`, or the known name nearest to it. */
export function findHook(
  name: string,
): { readonly hook: HookName } | { readonly nearest: HookName | undefined } {
  const alias = Object.hasOwn(hookAliases, name) ? hookAliases[name] : undefined;
  const hook = alias ?? hookNames.find((each) => each === name);
  return hook === undefined ? { nearest: nearestTo(name) } : { hook };
}

function nearestTo(name: string): HookName | undefined {
  const plain = simplify(name);
  const ranked = hookNames
    .map((each) => ({ each, distance: editDistance(plain, simplify(each)) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return ranked !== undefined && ranked.distance <= Math.max(2, plain.length / 3) ? ranked.each : undefined;
}

function simplify(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z]/gu, '');
}
