// Threat: `modify` may come out of JSON that somebody else wrote. No field of it may reach a prototype, here or where the payload
// is merged later: `__proto__` goes at any depth, and `constructor` and `prototype` are no fields of a payload.
import { PincerError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { copyData } from '../base/untrusted.ts';
import type { PointPayloads } from './extensionPoints.ts';
import type { ExtensionPoint } from './pluginTypes.ts';
import { pointRules } from './pointRules.ts';

/** A payload after one plugin. */
export interface Modified<P extends ExtensionPoint> {
  readonly payload: PointPayloads[P];
  /** Fields that it wanted to change, and can't. */
  readonly refused: readonly string[];
}

const keysOfPrototypes: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The payload with the top-level fields of `modify` in place of its own (Dexto plugin specification, Error Handling Pseudo-Code); the plugin keeps no
 * hold of what is in it. Pure.
 * @throws PincerError `dexto_modify_invalid`: a field is not what the extension point passes on
 * @throws Error where the data is nested too deeply to be copied
 */
export function applyModify<P extends ExtensionPoint>(
  point: P,
  payload: PointPayloads[P],
  modify: Readonly<Record<string, unknown>>,
): Modified<P> {
  const { fixed, payload: schema } = pointRules[point];
  const refused: string[] = [];
  const result = { ...payload } as Record<string, unknown>;
  for (const [key, value] of Object.entries(modify)) {
    if (keysOfPrototypes.has(key) || fixed.includes(key)) refused.push(key);
    else result[key] = withoutPrototypes(copyData(value));
  }
  const checked = schema.safeParse(result);
  if (!checked.success) throw invalidModify(point, checked.error.issues[0]);
  return { payload: result as unknown as PointPayloads[P], refused };
}

/** Takes the field `__proto__` out of what is already a copy of our own. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(withoutPrototypes);
  else if (isRecord(value)) {
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    Object.values(value).forEach(withoutPrototypes);
  }
  return value;
}

/** Names the field and what it should be, and quotes nothing: the value may be what the user wrote. */
function invalidModify(
  point: ExtensionPoint,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): PincerError {
  const field = issue?.path.map(String).join('.') ?? '';
  return new PincerError(
    'dexto_modify_invalid',
    `modify.${field} is not what ${point} passes on: ${issue?.message ?? 'unknown'}`,
  );
}
