import type { z } from 'zod';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { isRecord } from '../../base/json.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { childrenOf, partsOf, propertiesOf } from './jsonSchemaParts.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';
import { valueAt } from './valueAt.ts';

export interface CheckLevels {
  /** Of a key that the schema does not know. `warn` leaves it out and goes on. */
  readonly unknownKeys: 'warn' | 'error';
  /** Of everything else. Nothing of the part counts then, at either level. */
  readonly problems: 'warn' | 'error';
}

/** For parts that guard something: a slip must not take a guard out of force. */
export const strictly: CheckLevels = { unknownKeys: 'error', problems: 'error' };
/** For parts where an unknown key does no harm. */
export const leniently: CheckLevels = { unknownKeys: 'warn', problems: 'error' };

/** Checks the part of the file at `path`; undefined where it is wrong. All that is wrong is reported, unknown keys with the nearest known. */
export function checkPart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  path: KeyPath,
  report: Report,
  levels: CheckLevels,
): z.output<S> | undefined {
  const first = schema.safeParse(value);
  if (first.success) return first.data;
  // A hostile file could be wrong in thousands of places; each takes time to describe.
  if (report.isFull()) return undefined;
  const issues = first.error.issues.flatMap(flatten);
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...keyPath(issue), key]) : [],
  );
  unknown.forEach((inner) => reportUnknown(schema, path, inner, report, levels.unknownKeys));
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  others.forEach((issue) => reportIssue(issue, schema, value, path, report, levels.problems));
  if (others.length > 0) return undefined;
  const second = schema.safeParse(without(value, unknown));
  return second.success ? second.data : undefined;
}

/** An issue of a union says nothing by itself: that of the alternative which the value comes nearest to does. */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const alternatives = issue.errors.map((issues) =>
    issues.map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
  );
  const isOther = (each: z.core.$ZodIssue): boolean =>
    (each.code === 'invalid_type' || each.code === 'invalid_value') && each.path.length === issue.path.length;
  const near = alternatives.find((issues) => !issues.some(isOther));
  return near === undefined ? [issue] : near.flatMap(flatten);
}

/** What zod calls `expected`, and an example of it. */
const kinds: Readonly<Record<string, readonly [name: string, example: string]>> = {
  int: ['a whole number', '10'],
  number: ['a number', '10'],
  string: ['a text', '"text"'],
  boolean: ['true or false', 'true'],
  array: ['a list', '[one, two]'],
  object: ['keys with values', '{ key: value }'],
  record: ['keys with values', '{ key: value }'],
};

/** The schema alone would say: a text. */
const modulePath = 'Write the path of its code, such as "${{dexto.agent_dir}}/plugins/my-plugin.ts".';

interface Explanation {
  readonly reason: string;
  readonly remedy: string;
}

/** An issue in words of the file. What the file says is not quoted: it may come from the environment, and be secret. */
function plainly(issue: z.core.$ZodIssue, schema: z.ZodType, inner: KeyPath, found: unknown): Explanation {
  switch (issue.code) {
    case 'invalid_type':
      return otherKind([issue.expected], found);
    case 'invalid_value':
      return unknownValue(issue.values.map(String), found);
    case 'invalid_union': {
      const known = issue.errors.length === 0 ? valuesAt(schema, inner) : [];
      return known.length > 0
        ? unknownValue(known, found)
        : otherKind(issue.errors.flat().flatMap(wantedBy), found);
    }
    case 'too_small':
    case 'too_big':
      return outOfBounds(issue);
    default: {
      const reason = issue.message.replace(/\.$/u, '');
      return { reason, remedy: `Write ${reason.replace(/^expected /u, '')}, or remove the key.` };
    }
  }
}

function wantedBy(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [issue.expected];
  return issue.code === 'invalid_value' ? issue.values.map(String) : [];
}

/** `wanted`: kinds as zod calls them, and values. */
function otherKind(wanted: readonly string[], found: unknown): Explanation {
  const known = [...new Set(wanted)].map((each) => kinds[each] ?? [each, each]);
  const names = known.map(([name]) => name).join(' or ');
  return {
    reason: `expected ${names}, found ${kindOf(found)}`,
    remedy: `Write ${names}, such as ${known[0]?.[1] ?? names}.`,
  };
}

function unknownValue(known: readonly string[], found: unknown): Explanation {
  return {
    reason: found === undefined ? 'it is missing' : 'this value is not known here',
    remedy: `Write ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}.`,
  };
}

/** A number, or the length of a text or a list. */
function outOfBounds(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): Explanation {
  const isLow = issue.code === 'too_small';
  const limit = String(isLow ? issue.minimum : issue.maximum);
  const unit = issue.origin === 'string' ? 'characters' : 'entries';
  if (issue.origin !== 'string' && issue.origin !== 'array') {
    const bound = isLow
      ? issue.inclusive === false
        ? `above ${limit}`
        : `from ${limit} on`
      : `up to ${limit}`;
    return { reason: `the number is too ${isLow ? 'small' : 'large'}`, remedy: `Write a number ${bound}.` };
  }
  if (isLow) return { reason: 'it is empty', remedy: 'Write a value, or remove the key.' };
  return { reason: `it has more than ${limit} ${unit}`, remedy: `Write up to ${limit} ${unit}.` };
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'true or false' : 'keys with values';
}

function reportIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
  path: KeyPath,
  report: Report,
  level: Diagnostic['level'],
): void {
  const inner = keyPath(issue);
  const full = [...path, ...inner];
  const isMissing = issue.code === 'invalid_type' && valueAt(value, inner) === undefined;
  const { reason, remedy } = plainly(issue, schema, inner, valueAt(value, inner));
  const message = isMissing ? `${pathText(full)} is missing.` : `${pathText(full)}: ${reason}.`;
  const isPath = full.at(-1) === 'module';
  const hint = isMissing ? `Add the key. ${isPath ? modulePath : remedy}`.trim() : remedy;
  report.add({ level, code: 'agent_file_invalid', path: full, message, hint });
}

function reportUnknown(
  schema: z.ZodType,
  path: KeyPath,
  inner: KeyPath,
  report: Report,
  level: Diagnostic['level'],
): void {
  const full = [...path, ...inner];
  const key = String(inner.at(-1));
  const known = keysAt(schema, inner.slice(0, -1));
  report.add({
    level,
    code: 'agent_file_key_unknown',
    path: full,
    at: 'key',
    message: `${pathText(full)} is no key that is known here.`,
    hint: unknownHint(key, known),
  });
}

/** `Did you mean priority?`, or where nothing is near what there is. */
export function unknownHint(wanted: string, known: readonly string[]): string {
  const [nearest] = nearestFirst(wanted, known);
  return nearest === undefined ? 'Remove it.' : `Did you mean ${nearest}? Known are ${known.join(', ')}.`;
}

/** The keys that the schema knows at `path`. */
function keysAt(schema: z.ZodType, path: KeyPath): readonly string[] {
  const found = path.reduce((parts, key) => parts.flatMap((part) => childrenOf(part, key)), partsOf(schema));
  return [...new Set(found.flatMap((part) => Object.keys(propertiesOf(part))))];
}

/** The fixed values that the schema knows at `path`, such as each `type` of a union. */
function valuesAt(schema: z.ZodType, path: KeyPath): readonly string[] {
  const found = path.reduce((parts, key) => parts.flatMap((part) => childrenOf(part, key)), partsOf(schema));
  return [...new Set(found.flatMap((part) => ('const' in part ? [String(part['const'])] : [])))];
}

function keyPath(issue: z.core.$ZodIssue): KeyPath {
  return issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
}

function without(value: unknown, paths: readonly KeyPath[]): unknown {
  const walk = (each: unknown, path: KeyPath): unknown => {
    if (Array.isArray(each)) return each.map((item, index) => walk(item, [...path, index]));
    if (!isRecord(each)) return each;
    const kept = Object.entries(each).filter(([key]) => !paths.some((gone) => isSame(gone, [...path, key])));
    return Object.fromEntries(kept.map(([key, item]) => [key, walk(item, [...path, key])]));
  };
  return walk(value, []);
}

function isSame(a: KeyPath, b: KeyPath): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
