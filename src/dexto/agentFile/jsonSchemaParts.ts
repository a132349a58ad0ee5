import { z } from 'zod';
import { isRecord } from '../../base/json.ts';

type Part = Readonly<Record<string, unknown>>;

/** The JSON schema of a zod schema, its alternatives side by side. */
export function partsOf(schema: z.ZodType): readonly Part[] {
  return alternativesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** What stands below `key`, a property or a place in a list. */
export function childrenOf(part: Part, key: string | number): readonly Part[] {
  if (typeof key === 'number') return alternativesOf(part['items']);
  return alternativesOf(propertiesOf(part)[key] ?? part['additionalProperties']);
}

export function propertiesOf(part: Part): Part {
  const properties = part['properties'];
  return isRecord(properties) ? properties : {};
}

/** True where the part is for objects with another `type` than this one has. */
export function isForOtherType(part: Part, value: Readonly<Record<string, unknown>>): boolean {
  const type = propertiesOf(part)['type'];
  return isRecord(type) && type['const'] !== undefined && type['const'] !== value['type'];
}

function alternativesOf(part: unknown): readonly Part[] {
  if (!isRecord(part)) return [];
  const more = [part['anyOf'], part['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  return more.length === 0 ? [part] : more.flatMap(alternativesOf);
}
