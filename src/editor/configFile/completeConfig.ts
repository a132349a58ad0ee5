import { findNodeAtLocation, getLocation, parseTree, type JSONPath } from 'jsonc-parser';
import { describeKey, planSuggestions, type Suggestion } from '../agentFile/planSuggestions.ts';
import type { SchemaNode } from '../agentFile/schemaAt.ts';

/** What fits at an offset of a config file, and what of the text it takes the place of. */
interface ConfigCompletion {
  /** Offsets; equal where nothing is written there yet. */
  readonly replaces: readonly [start: number, end: number];
  readonly suggestions: readonly Suggestion[];
}

/** Keys and values that the schema knows at an offset; nothing in a comment. Pure. */
export function completeConfig(schema: SchemaNode, text: string, offset: number): ConfigCompletion {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isWithin = previousNode !== undefined && offset <= previousNode.offset + previousNode.length;
  const replaces = isWithin
    ? ([previousNode.offset, previousNode.offset + previousNode.length] as const)
    : ([offset, offset] as const);
  const names = path.map(nameOf);
  const key = names.at(-1);
  if (key === undefined || isInComment(text, offset)) return { replaces, suggestions: [] };
  const above = names.slice(0, -1);
  if (!isAtPropertyKey) {
    const suggestions = planSuggestions(schema, { path: above, key, siblings: [] });
    return { replaces, suggestions: suggestions.map(asJson) };
  }
  const siblings = keysAt(text, path.slice(0, -1)).filter((name) => name !== key);
  const keys = planSuggestions(schema, { path: above, siblings });
  const hasValue = /^\s*:/u.test(text.slice(replaces[1]));
  return {
    replaces,
    suggestions: keys
      .filter(({ kind }) => kind === 'key')
      .map((each) => ({ ...each, text: `${JSON.stringify(each.label)}${hasValue ? '' : ': '}` })),
  };
}

/** What the key at an offset means, with its offsets; undefined where the schema does not know it. Pure. */
export function describeConfigKey(
  schema: SchemaNode,
  text: string,
  offset: number,
): { readonly text: string; readonly range: readonly [start: number, end: number] } | undefined {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  if (!isAtPropertyKey || previousNode === undefined) return undefined;
  const said = describeKey(schema, path.map(nameOf));
  if (said === undefined) return undefined;
  return { text: said, range: [previousNode.offset, previousNode.offset + previousNode.length] };
}

function nameOf(segment: string | number): string {
  return typeof segment === 'number' ? '-' : segment;
}

/** A value of the schema as it is written in JSON. */
function asJson(suggestion: Suggestion): Suggestion {
  return { ...suggestion, text: JSON.stringify(suggestion.value) };
}

function keysAt(text: string, path: JSONPath): readonly string[] {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, path);
  return (node?.children ?? []).flatMap(({ children: [key] = [] }) =>
    typeof key?.value === 'string' ? [key.value] : [],
  );
}

/** By the line alone, and well enough: an address in a string has its slashes behind a colon. */
function isInComment(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /(?:^|[\s,{[])\/\//u.test(line);
}
