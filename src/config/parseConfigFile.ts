import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { z } from 'zod';
import { isRecord } from '../base/json.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { configSchema, type ConfigFile } from './configSchema.ts';

export interface ParsedConfigFile {
  /** What holds: keys with an error are left out, everything else counts. */
  readonly config: ConfigFile;
  readonly diagnostics: readonly Diagnostic[];
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
      diagnostics: [
        problem(
          'config_syntax',
          `The config is not valid JSON (${what}).`,
          'Fix the line; until then the whole file is ignored.',
          source,
          line,
        ),
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
    let dropped = false;
    for (const { path, message } of result.error.issues.flatMap(pointedIssues)) {
      const node = nearestNode(tree, path);
      const line = lineOf(node.offset);
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
      dropped = removeAt(value, path) || dropped;
    }
    if (!dropped) return { config: {}, diagnostics };
  }
}

interface PointedIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Where an issue points: unknown keys each at themselves, everything else at its value. */
function pointedIssues(issue: z.core.$ZodIssue): readonly PointedIssue[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown key' }));
  return [{ path, message: issue.message.replace(/^Invalid input: /u, '') }];
}

function nearestNode(tree: Node, path: readonly (string | number)[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return tree;
}

/** Removes the value at `path`; an array element takes its whole array with it, so that indexes stay true. */
function removeAt(root: unknown, path: readonly (string | number)[]): boolean {
  const lastKey = path.findIndex((part) => typeof part === 'number');
  const keys = lastKey === -1 ? path : path.slice(0, lastKey);
  const name = keys.at(-1);
  if (name === undefined) return false;
  let holder: unknown = root;
  for (const key of keys.slice(0, -1)) holder = isRecord(holder) ? holder[key] : undefined;
  return isRecord(holder) && Object.hasOwn(holder, name) && Reflect.deleteProperty(holder, name);
}

function problem(code: string, message: string, hint: string, source: string, line: number): Diagnostic {
  return { level: 'error', code, message, hint, source, line };
}
