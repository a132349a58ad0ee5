import { findNodeAtLocation, parseTree, type JSONPath, type Node } from 'jsonc-parser';

/** 1-based. */
interface ManifestPlace {
  readonly line: number;
  readonly column: number;
}

/** Where the key at this path stands in a manifest's file, else what holds it; undefined where the text can't tell. */
export type PlaceOf = (path: readonly (string | number)[]) => ManifestPlace | undefined;

/** Where things stand in the text of a manifest. */
export function manifestPlaces(text: string): PlaceOf {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const placeAt = placeCounter(text);
  return (path) => {
    if (root === undefined) return undefined;
    for (let length = path.length; length > 0; length -= 1) {
      const node = keyNode(root, path.slice(0, length));
      if (node !== undefined) return placeAt(node.offset);
    }
    return placeAt(root.offset);
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
