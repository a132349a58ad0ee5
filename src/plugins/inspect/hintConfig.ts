import { isRecord } from '../../base/json.ts';

/** How to give a plugin the settings that its schema requires; undefined where it requires none. Pure. */
export function hintConfig(schema: Readonly<Record<string, unknown>>): string | undefined {
  const required = textsOf(schema['required']);
  if (required.length === 0) return undefined;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const example = Object.fromEntries(required.map((name) => [name, exampleOf(properties[name])]));
  return `Give it settings: --config '${JSON.stringify(example).replaceAll("'", String.raw`'\''`)}'.`;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A value of the right type; `…` where the user has to fill something in. */
function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > 4) return '…';
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0] as unknown;
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        textsOf(schema['required']).map((name) => {
          const properties = isRecord(schema['properties']) ? schema['properties'] : {};
          return [name, exampleOf(properties[name], depth + 1)];
        }),
      );
    default:
      return '…';
  }
}
