import { findNodeAtLocation, parseTree, type JSONPath, type Node } from 'jsonc-parser';

/** Line of each field of a manifest, 1-based, by its name; for diagnostics that open the file there. */
export type ManifestLines = Readonly<Record<string, number>>;

/** 1-based. */
export interface ManifestPlace {
  readonly line: number;
  readonly column: number;
}

export interface ManifestPositions {
  readonly lines: ManifestLines;
  /** Where the key at this path stands, else what holds it; undefined where the text can't tell. */
  readonly placeOf: (path: readonly (string | number)[]) => ManifestPlace | undefined;
}

/** Where things stand in the text of a manifest that was read. */
export function findManifestLines(text: string): ManifestPositions {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const placeAt = placeCounter(text);
  const lines: [string, number][] = (root?.children ?? []).flatMap((property): [string, number][] => {
    const [key] = property.children ?? [];
    return typeof key?.value === 'string' ? [[key.value, placeAt(key.offset).line]] : [];
  });
  return {
    lines: Object.fromEntries(lines),
    placeOf(path) {
      if (root === undefined) return undefined;
      for (let length = path.length; length > 0; length -= 1) {
        const node = keyNode(root, path.slice(0, length));
        if (node !== undefined) return placeAt(node.offset);
      }
      return placeAt(root.offset);
    },
  };
}

function keyNode(root: Node, path: readonly (string | number)[]): Node | undefined {
  const node = findNodeAtLocation(root, [...path] satisfies JSONPath);
  return node?.parent?.type === 'property' ? node.parent : node;
}

/** Offsets mostly grow, so the text is walked once. */
function placeCounter(text: string): (offset: number) => ManifestPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
