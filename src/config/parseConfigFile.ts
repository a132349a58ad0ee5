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

export interface ParsedConfigFile {
  /** What holds: keys with an error are left out, everything else counts. */
  readonly config: ConfigFile;
  readonly diagnostics: readonly Diagnostic[];
  /** True where nothing of the file could be understood; what it meant to forbid is not known then. */
  readonly isBroken?: true;
}

/**
 * Reads one `config.jsonc`. Never throws: a file that can't be parsed counts as empty, a key that is wrong is dropped, and
 * each problem has a diagnostic with file, line and key.
 */
export function parseConfigFile(text: string, source: string): ParsedConfigFile {
  if (text.trim() === '') return { config: {}, diagnostics: [] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const syntax = errors[0];
  if (syntax !== undefined || tree === undefined) {
    const line = lineOf(syntax?.offset ?? 0);
    const what = syntax === undefined ? 'no value' : printParseErrorCode(syntax.error);
    return {
      config: {},
      isBroken: true,
      diagnostics: [
        problem('config_syntax', `The config is not valid JSON (${what}).`, 'Fix the line.', source, line),
      ],
    };
  }
  return checkedConfig(tree, source, lineOf);
}

function checkedConfig(tree: Node, source: string, lineOf: (offset: number) => number): ParsedConfigFile {
  const diagnostics: Diagnostic[] = [];
  const value: unknown = getNodeValue(tree);
  // Each pass drops the keys that the schema refused; removing a key can only reveal errors of keys around it.
  for (;;) {
    const result = configSchema.safeParse(value);
    if (result.success) return { config: result.data, diagnostics };
    const issues = result.error.issues.flatMap(pointedIssues);
    for (const { path, message } of issues) {
      const line = lineOf(nearestNode(tree, path).offset);
      const key = path.length === 0 ? 'the file' : path.join('.');
      diagnostics.push(
        problem(
          'config_invalid',
          `${key}: ${message}.`,
          'Correct or remove this key; it is ignored until then.',
          source,
          line,
        ),
      );
    }
    const wrong = issues.map((issue) => partToDrop(value, issue));
    const removed = lastFirst(wrong).filter((path) => removeAt(value, path));
    if (removed.length === 0) return { config: {}, isBroken: true, diagnostics };
  }
}

type Path = readonly (string | number)[];

interface PointedIssue {
  readonly path: Path;
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

function nearestNode(tree: Node, path: Path): Node {
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
function partToDrop(root: unknown, { path, isUnknownKey }: PointedIssue): Path {
  if (isUnknownKey) return path;
  const index = path.findIndex((part) => typeof part === 'number');
  if (index !== -1) return path.slice(0, index + 1);
  return valueAt(root, path) === undefined ? path.slice(0, -1) : path;
}

/** Each path once, inner before outer and higher indexes first, so that removing one leaves the others true. */
function lastFirst(paths: readonly Path[]): readonly Path[] {
  const unique = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...unique.values()].sort((a, b) => {
    const at = a.findIndex((part, index) => part !== b[index]);
    const [left, right] = [a[at], b[at]];
    if (left === undefined || right === undefined) return b.length - a.length;
    if (typeof left === 'number' && typeof right === 'number') return right - left;
    return left < right ? -1 : 1;
  });
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      isContainer(value) && Object.hasOwn(value, key) ? (Reflect.get(value, key) as unknown) : undefined,
    root,
  );
}

function removeAt(root: unknown, path: Path): boolean {
  const holder = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || !isContainer(holder) || !Object.hasOwn(holder, last)) return false;
  return Array.isArray(holder)
    ? holder.splice(Number(last), 1).length === 1
    : Reflect.deleteProperty(holder, last);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function problem(code: string, message: string, hint: string, source: string, line: number): Diagnostic {
  return { level: 'error', code, message, hint, source, line };
}
