/** As much of JSON Schema as the schema of agent files uses. */
export interface SchemaNode {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
}

/** Every node that may stand at a path: of alternatives all. `-` in the path is an item of a list. Pure. */
export function schemaAt(root: SchemaNode, path: readonly string[]): readonly SchemaNode[] {
  return path.reduce<readonly SchemaNode[]>(
    (nodes, name) => nodes.flatMap((node) => below(root, node, name)),
    variantsOf(root, root),
  );
}

function below(root: SchemaNode, node: SchemaNode, name: string): readonly SchemaNode[] {
  if (name === '-') return node.items === undefined ? [] : variantsOf(root, node.items);
  const { properties = {}, additionalProperties } = node;
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return variantsOf(root, own);
  return typeof additionalProperties === 'object' ? variantsOf(root, additionalProperties) : [];
}

/** A node and every alternative that it allows. Pure. */
export function variantsOf(root: SchemaNode, node: SchemaNode): readonly SchemaNode[] {
  const target = node.$ref === undefined ? node : (root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? node);
  const { anyOf = [], oneOf = [], allOf = [] } = target;
  const others = [...anyOf, ...oneOf, ...allOf];
  if (others.length === 0) return [target];
  // What is said of all alternatives is said of each.
  const { description } = node.description === undefined ? target : node;
  return [
    target,
    ...others
      .flatMap((each) => variantsOf(root, each))
      .map((each) =>
        description === undefined || each.description !== undefined ? each : { ...each, description },
      ),
  ];
}
