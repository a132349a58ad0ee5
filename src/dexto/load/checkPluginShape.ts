import { editDistance } from '../../base/editDistance.ts';
import { isRecord } from '../../base/json.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import type { DextoPlugin, ExtensionPoint } from '../dextoTypes.ts';
import { extensionPoints } from '../pointRules.ts';

type ShapeCheck =
  | { readonly ok: true; readonly instance: DextoPlugin; readonly points: readonly ExtensionPoint[] }
  | { readonly ok: false; readonly check: 3 | 4 | 5; readonly problem: string; readonly hint?: string };

/**
 * The last three of the five checks of the spec (Dexto plugin specification, Plugin Validation), on the instance itself, so that arrow functions
 * held by fields count like methods. Pure, but for getters of the plugin's own.
 */
export function checkPluginShape(made: unknown): ShapeCheck {
  if (!isRecord(made))
    return {
      ok: false,
      check: 3,
      problem: `what it makes is ${made === null || made === undefined ? String(made) : `a ${typeof made}`}, and no plugin`,
      hint: `Return an object with a method such as ${extensionPoints[0] ?? ''}.`,
    };
  const points = extensionPoints.filter((point) => typeof made[point] === 'function');
  if (points.length === 0) {
    return {
      ok: false,
      check: 4,
      problem: 'it must implement at least one extension point method',
      hint: `${meantBy(made)}The extension points are ${extensionPoints.join(', ')}.`,
    };
  }
  const odd = (['initialize', 'cleanup'] as const).find(
    (name) => Boolean(made[name]) && typeof made[name] !== 'function',
  );
  if (odd !== undefined) {
    return {
      ok: false,
      check: 5,
      problem: `its ${odd} must be a function, and is a ${typeof made[odd]}`,
      hint: odd === 'initialize' ? 'Write initialize(config) { … }.' : 'Write cleanup() { … }.',
    };
  }
  return { ok: true, instance: made, points };
}

/** A member whose name is nearly that of an extension point. */
function meantBy(made: object): string {
  for (let held: unknown = made; isRecord(held); held = Object.getPrototypeOf(held)) {
    for (const name of Object.getOwnPropertyNames(held).slice(0, maxMembers)) {
      const [nearest = ''] = nearestFirst(name, extensionPoints);
      if (editDistance(name.toLowerCase(), nearest.toLowerCase()) <= 3)
        return `Did you mean ${nearest} by ${name}? `;
    }
  }
  return '';
}

const maxMembers = 100;
