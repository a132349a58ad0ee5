import type { YamlCursor } from './placeAt.ts';
import { schemaAt, variantsOf, type SchemaNode } from './schemaAt.ts';

/** One entry of the list that VS Code shows while somebody types. */
export interface Suggestion {
  readonly kind: 'key' | 'value';
  readonly label: string;
  /** What is inserted; a key brings its colon. */
  readonly text: string;
  /** What a value is. */
  readonly value?: unknown;
  readonly description?: string;
  /** Shown beside the label: the type of a key, that a value is the default. */
  readonly detail?: string;
}

/** Keys and values that the schema knows at a place, without those that stand there already. Pure. */
export function planSuggestions(
  root: SchemaNode,
  { path, key, siblings }: YamlCursor,
): readonly Suggestion[] {
  if (key !== undefined) return valuesOf(schemaAt(root, [...path, key]));
  const nodes = schemaAt(root, path);
  const taken = new Set(siblings);
  const keys = new Map<string, Suggestion>();
  for (const [name, node] of nodes.flatMap(({ properties = {} }) => Object.entries(properties))) {
    if (taken.has(name) || keys.has(name)) continue;
    const variants = variantsOf(root, node);
    const isBlock = variants.some((each) => each.properties !== undefined || each.items !== undefined);
    keys.set(name, {
      kind: 'key',
      label: name,
      text: isBlock ? `${name}:` : `${name}: `,
      ...describe(variants),
      detail: typeOf(variants),
    });
  }
  return [...keys.values(), ...valuesOf(path.at(-1) === '-' ? nodes : [])];
}

/** What a key at a place means; undefined where the schema does not know it. Pure. */
export function describeKey(root: SchemaNode, path: readonly string[]): string | undefined {
  return schemaAt(root, path).find(({ description }) => description !== undefined)?.description;
}

function valuesOf(nodes: readonly SchemaNode[]): readonly Suggestion[] {
  const values = nodes.flatMap((node) => [
    ...(node.enum ?? []),
    ...(node.const === undefined ? [] : [node.const]),
    ...(node.type === 'boolean' ? [true, false] : []),
  ]);
  const defaults: readonly unknown[] = nodes.flatMap((node) =>
    node.default === undefined ? [] : [node.default],
  );
  const plain = [...values, ...defaults].filter((value) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  return [...new Set(plain)].map((value) => ({
    kind: 'value',
    label: String(value),
    text: String(value),
    value,
    ...(defaults.includes(value) ? { detail: 'default' } : {}),
  }));
}

function describe(nodes: readonly SchemaNode[]): { readonly description?: string } {
  const description = nodes.find((node) => node.description !== undefined)?.description;
  return description === undefined ? {} : { description };
}

function typeOf(nodes: readonly SchemaNode[]): string {
  const types = nodes.flatMap(({ type }) => (type === undefined ? [] : [type].flat()));
  return [...new Set(types)].join(' | ');
}
