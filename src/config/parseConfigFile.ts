import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { z } from 'zod';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { configSchema, type ConfigFile } from './configSchema.ts';
import {
  findFailClosedDefaults,
  isProfileKey,
  type KeyPath,
  type FailClosedDefault,
} from './findFailClosedDefaults.ts';

export interface ParsedConfigFile {
  /** What holds: keys with an error are left out, everything else counts. */
  readonly config: ConfigFile;
  readonly diagnostics: readonly Diagnostic[];
  /** True where nothing of the file could be understood; what it meant to forbid is not known then. */
  readonly isBroken?: true;
  /** Where a key stands, or what is there of the way to it; undefined where nothing of it is. */
  readonly placeOf?: PlaceOf;
}

/** Where something stands in a text; both 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type PlaceOf = (key: KeyPath) => Place | undefined;

/**
 * Reads one `config.jsonc`. Never throws: of a file that can't be parsed, or is empty where a crash or another program cut it
 * off, it is not known what it said; a key that is wrong is dropped or
 * gives way to the strictest value there is (`findFailClosedDefaults`), and each problem has a diagnostic with file, place and key.
 */
export function parseConfigFile(text: string, source: string): ParsedConfigFile {
  if (text.trim() === '') {
    const hint = 'Restore its content. An empty config is {}.';
    return {
      config: {},
      isBroken: true,
      diagnostics: [problem('config_empty', 'The config is empty.', hint, source, { line: 1, column: 1 })],
    };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const placeAt = (offset: number): Place => {
    const lines = text.slice(0, offset).split('\n');
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  };
  const syntax = errors[0];
  if (syntax !== undefined || tree === undefined) {
    const place = placeAt(syntax?.offset ?? 0);
    const what = syntax === undefined ? 'no value' : printParseErrorCode(syntax.error);
    return {
      config: {},
      isBroken: true,
      diagnostics: [
        problem('config_syntax', `The config is not valid JSON (${what}).`, 'Fix the line.', source, place),
      ],
    };
  }
  const placeOf: PlaceOf = (key) => {
    const node = nearestNode(tree, key);
    return node === tree ? undefined : placeAt(node.offset);
  };
  return { ...checkedConfig(tree, source, placeAt), placeOf };
}

function checkedConfig(tree: Node, source: string, placeAt: (offset: number) => Place): ParsedConfigFile {
  const diagnostics: Diagnostic[] = [];
  const value: unknown = getNodeValue(tree);
  // Each pass drops what the schema refused; removing a key can only reveal errors of keys around it.
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const result = configSchema.safeParse(value);
    if (result.success) return { config: result.data, diagnostics };
    const issues = result.error.issues.flatMap(pointedIssues);
    const defaults = issues.map((issue) => defaultsFor(value, issue));
    issues.forEach(({ path, message }, index) => {
      const place = placeAt(nearestNode(tree, path).offset);
      const key = path.length === 0 ? 'the file' : path.join('.');
      const meanwhile = defaults[index]?.map((each) => each.meanwhile).join(', ') ?? '';
      const hint =
        meanwhile === ''
          ? 'Correct or remove this key; it is ignored until then.'
          : `Correct or remove this key; until then ${meanwhile}.`;
      diagnostics.push(problem('config_invalid', `${key}: ${message}.`, hint, source, place));
    });
    const wrong = issues.map((issue) => partToDrop(value, issue));
    const removed = lastFirst(wrong).filter((path) => removeAt(value, path));
    if (removed.length === 0) break;
    defaults.flat().forEach((each) => setAt(value, each.path, each.value));
  }
  return { config: {}, isBroken: true, diagnostics };
}

/** Far more than a file can need; a bound all the same, since defaults are written between the passes. */
const maxPasses = 100;

function defaultsFor(root: unknown, { path, isUnknownKey }: PointedIssue): readonly FailClosedDefault[] {
  if (isUnknownKey && !isProfileKey(path)) return [];
  const holder = valueAt(root, path.slice(0, -1));
  return findFailClosedDefaults(path, Array.isArray(holder) ? holder : []);
}

interface PointedIssue {
  readonly path: KeyPath;
  readonly message: string;
  readonly isUnknownKey: boolean;
}

/** Where an issue points: unknown keys each at themselves, everything else at its value. */
function pointedIssues(issue: z.core.$ZodIssue): readonly PointedIssue[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown key', isUnknownKey: true }));
  return [{ path, message: issue.message.replace(/^Invalid input: /u, ''), isUnknownKey: false }];
}

function nearestNode(tree: Node, path: KeyPath): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return tree;
}

/**
 * The smallest part that can go so that the rest holds. What a list of denials says must survive a slip in one of its
 * elements, so a wrong element goes alone; and a part that lacks something goes, not the file around it.
 */
function partToDrop(root: unknown, { path, isUnknownKey }: PointedIssue): KeyPath {
  if (isUnknownKey) return path;
  const index = path.findIndex((part) => typeof part === 'number');
  if (index !== -1) return path.slice(0, index + 1);
  return valueAt(root, path) === undefined ? path.slice(0, -1) : path;
}

/** Each path once, inner before outer and higher indexes first, so that removing one leaves the others true. */
function lastFirst(paths: readonly KeyPath[]): readonly KeyPath[] {
  const unique = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...unique.values()].sort((a, b) => {
    const at = a.findIndex((part, index) => part !== b[index]);
    const [left, right] = [a[at], b[at]];
    if (left === undefined || right === undefined) return b.length - a.length;
    if (typeof left === 'number' && typeof right === 'number') return right - left;
    return left < right ? -1 : 1;
  });
}

function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      isContainer(value) && Object.hasOwn(value, key) ? (Reflect.get(value, key) as unknown) : undefined,
    root,
  );
}

function removeAt(root: unknown, path: KeyPath): boolean {
  const holder = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || !isContainer(holder) || !Object.hasOwn(holder, last)) return false;
  return Array.isArray(holder)
    ? holder.splice(Number(last), 1).length === 1
    : Reflect.deleteProperty(holder, last);
}

/** Objects on the way are made where they are missing. */
function setAt(root: unknown, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined || !isContainer(root)) return;
  const next: unknown = rest.length === 0 ? value : (valueAt(root, [key]) ?? {});
  Object.defineProperty(root, key, { value: next, writable: true, enumerable: true, configurable: true });
  setAt(next, rest, value);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function problem(code: string, message: string, hint: string, source: string, place: Place): Diagnostic {
  return { level: 'error', code, message, hint, source, ...place };
}
