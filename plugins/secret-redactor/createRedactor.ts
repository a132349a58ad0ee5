import { replaceSpans } from '../../src/base/secrets/replaceSpans.ts';
import { isSecretField } from '../../src/base/secrets/secretFields.ts';
import { isPlainValue } from './isPlainText.ts';
import type { SecretRule } from './secretRules.ts';

/** Replaces secrets. Pure: it returns what it was given where there is nothing to replace. */
export interface Redactor {
  text(text: string, found: Findings): string;
  /** Every text inside a value of plain data, at any depth; keys, numbers and shape stay. */
  data<T>(value: T, found: Findings): T;
}

/** How many of each kind were replaced, by the name of the rule. Never holds a value. */
export type Findings = Map<string, number>;

export interface RedactorOptions {
  readonly rules: readonly SecretRule[];
  /** Values that stay: literal, or with `*` for any run of characters. */
  readonly allow: readonly string[];
}

export function createRedactor({ rules, allow }: RedactorOptions): Redactor {
  const isAllowed = (value: string): boolean => allow.some((glob) => matchesGlob(glob, value));

  const text = (whole: string, found: Findings): string => {
    let clean = whole;
    for (const rule of rules) clean = applyRule(clean, rule, isAllowed, found);
    return clean;
  };

  const field = (key: string, value: string, found: Findings): string => {
    const clean = text(value, found);
    const isBare = clean === value && value.length >= 4 && isSecretField(key);
    if (!isBare || isPlainValue(value) || isAllowed(value)) return clean;
    count(found, 'secret value');
    return placeholder('secret value');
  };

  const data = (value: unknown, found: Findings): unknown => {
    if (typeof value === 'string') return text(value, found);
    if (Array.isArray(value))
      return keepIfSame(
        value,
        value.map((each) => data(each, found)),
      );
    if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
    const entries = Object.entries(value);
    const cleaned = entries.map(([key, each]) =>
      typeof each === 'string' ? field(key, each, found) : data(each, found),
    );
    if (entries.every(([, each], index) => each === cleaned[index])) return value;
    return Object.fromEntries(entries.map(([key], index) => [key, cleaned[index]]));
  };

  return { text, data: <T>(value: T, found: Findings): T => data(value, found) as T };
}

function placeholder(name: string): string {
  return `[redacted: ${name}]`;
}

function applyRule(
  text: string,
  { name, pattern, spares }: SecretRule,
  isAllowed: (value: string) => boolean,
  found: Findings,
): string {
  const spans = [...text.matchAll(pattern)].flatMap((match) => {
    const start = match.index + (match.groups?.['before']?.length ?? 0);
    const end = match.index + match[0].length;
    const secret = text.slice(start, end);
    return spares(secret, text.slice(end, end + 200)) || isAllowed(secret) ? [] : [{ start, end }];
  });
  if (spans.length === 0) return text;
  found.set(name, (found.get(name) ?? 0) + spans.length);
  return replaceSpans(text, spans, placeholder(name)).text;
}

function count(found: Findings, name: string): void {
  found.set(name, (found.get(name) ?? 0) + 1);
}

function keepIfSame(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((each, index) => each === before[index]) ? before : after;
}

/** Anything else, a Date or bytes, holds no text that could be replaced without breaking it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** `*` is any run of characters. Takes time in proportion to the value, however many stars there are. */
function matchesGlob(glob: string, value: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  if (last === undefined) return value === first;
  if (value.length < first.length + last.length) return false;
  if (!value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const hit = value.indexOf(part, at);
    if (hit === -1) return false;
    at = hit + part.length;
  }
  return at <= value.length - last.length;
}
