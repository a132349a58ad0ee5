// Threat: one parameter schema that a model's server refuses makes it refuse the whole request, so a single careless or
// hostile plugin would stop every run; one without end would hang the window. Such a tool is left out, with the reason.
import { isRecord } from '../base/json.ts';

/** Levels of schemas within schemas. */
const maxDepth = 20;
/** Subschemas and values of one schema. */
const maxNodes = 5_000;
/** Characters as JSON. */
const maxSize = 100_000;
/** What every protocol takes as the name of a parameter. */
const parameterName = /^[a-zA-Z0-9_.-]{1,64}$/u;

/** What no protocol takes beside the parameters of a function. */
const refusedAtRoot = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'] as const;

/** Keywords that a server can't follow, with the reason. */
const refusedAnywhere: Readonly<Record<string, string>> = {
  $dynamicRef: 'models can not follow $dynamicRef',
  $recursiveRef: 'models can not follow $recursiveRef',
  $async: 'they use $async',
};

/** Why a model's protocol can't take a tool's parameter schema, or undefined where it can. Follows "its parameters". Pure. */
export function findProtocolFault(schema: unknown): string | undefined {
  if (!isRecord(schema)) return 'are no JSON Schema object';
  return (
    findShapeFault(schema) ?? findRootFault(schema) ?? findRecursion(schema) ?? findNodeFault(schema, [])
  );
}

/** First of all, since everything else walks the schema: an end in depth and size, and only what JSON can say. */
function findShapeFault(schema: unknown): string | undefined {
  let nodes = 0;
  const walk = (value: unknown, depth: number): string | undefined => {
    nodes += 1;
    if (depth > maxDepth * 2) return `are nested too deep (more than ${maxDepth} levels)`;
    if (nodes > maxNodes) return `are too large (more than ${maxNodes} parts)`;
    if (typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol')
      return `hold a ${typeof value}, which JSON can not say`;
    if (typeof value !== 'object' || value === null) return undefined;
    return first(Object.values(value), (each) => walk(each, depth + 1));
  };
  const fault = walk(schema, 0);
  if (fault !== undefined) return fault;
  return JSON.stringify(schema).length > maxSize
    ? `are too large (more than ${maxSize} characters)`
    : undefined;
}

function findRootFault(schema: Readonly<Record<string, unknown>>): string | undefined {
  const refused = refusedAtRoot.find((keyword) => schema[keyword] !== undefined);
  if (refused !== undefined) return `use "${refused}" at the root, which models refuse`;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = listOf(schema['required']).filter((name) => typeof name === 'string');
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  return missing === undefined ? undefined : `require "${missing}", which is not among them`;
}

/** Faults of one schema and those below it; `path` is how people find it. */
function findNodeFault(schema: unknown, path: readonly string[]): string | undefined {
  if (!isRecord(schema)) return undefined;
  const where = path.length === 0 ? '' : ` (${path.join('.')})`;
  const keyword = Object.keys(refusedAnywhere).find((each) => schema[each] !== undefined);
  if (keyword !== undefined) return `can not be used: ${refusedAnywhere[keyword] ?? ''}${where}`;
  const type = schema['type'];
  const types = Array.isArray(type) ? listOf(type) : type === undefined ? [] : [type];
  const enumFault = findEnumFault(schema['enum'], types);
  if (enumFault !== undefined) return `${enumFault}${where}`;
  const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
  const badName = properties.find(([name]) => !parameterName.test(name))?.[0];
  if (badName !== undefined)
    return `have a name that models refuse: ${JSON.stringify(badName.slice(0, 80))}${where}`;
  return (
    first(properties, ([name, each]) => findNodeFault(each, [...path, name])) ??
    first(subschemas(schema), (each) => findNodeFault(each, path))
  );
}

function findEnumFault(said: unknown, types: readonly unknown[]): string | undefined {
  if (said === undefined) return undefined;
  const values = listOf(said);
  if (values.length === 0) return 'have an enum without values';
  if (values.some((each) => typeof each === 'object' && each !== null))
    return 'have an enum of objects or lists, which models refuse';
  const misfit = values.find((each) => types.length > 0 && !types.some((type) => isOfType(each, type)));
  return misfit === undefined
    ? undefined
    : `have an enum value ${JSON.stringify(misfit)} that is not of type ${types.map(String).join(' or ')}`;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** A reference that leads back to a schema around it. One that leads out of the schema the validator refuses. */
function findRecursion(root: unknown): string | undefined {
  const followed = new Set<string>();
  const follow = (reference: string, open: readonly string[]): string | undefined => {
    if (reference === '#' || open.includes(reference))
      return `refer to themselves (${reference}), which models can not follow`;
    // Each is followed once, so that references to references cost no more than there are.
    if (followed.has(reference)) return undefined;
    followed.add(reference);
    return walk(targetOf(root, reference), [...open, reference]);
  };
  const walk = (value: unknown, open: readonly string[]): string | undefined => {
    if (Array.isArray(value)) return first(value, (each) => walk(each, open));
    if (!isRecord(value)) return undefined;
    const { $ref: reference, $defs: _later, definitions: _old, ...rest } = value;
    const fault = typeof reference === 'string' ? follow(reference, open) : undefined;
    return fault ?? first(Object.values(rest), (each) => walk(each, open));
  };
  return walk(root, []);
}

/** The schema that `#/a/b` means. */
function targetOf(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      root,
    );
}

/** Schemas in a schema that are no named parameters. */
function subschemas(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
  const single = [schema['items'], schema['additionalProperties'], schema['not']];
  const lists = [schema['anyOf'], schema['oneOf'], schema['allOf'], schema['prefixItems'], schema['items']];
  const named = [schema['$defs'], schema['definitions'], schema['patternProperties']];
  return [
    ...single,
    ...lists.flatMap(listOf),
    ...named.flatMap((each) => (isRecord(each) ? Object.values(each) : [])),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function first<T>(values: readonly T[], find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
