import { isRecord, normalizeOptionalString } from './textHelpers.ts';

/** Readers for values of any kind (`openclaw/plugin-sdk/string-coerce-runtime`): each gives what it was asked for, or undefined. */

export function asOptionalRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

/** Of an object of any kind, lists among them. */
export function asOptionalObjectRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** Only true and false themselves; `parseBooleanValue` reads words. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

const yes: readonly string[] = ['true', '1', 'yes', 'on'];
const no: readonly string[] = ['false', '0', 'no', 'off'];

/** True and false, also as one of these words in any case. */
export function parseBooleanValue(
  value: unknown,
  {
    truthy = yes,
    falsy = no,
  }: { readonly truthy?: readonly string[]; readonly falsy?: readonly string[] } = {},
): boolean | undefined {
  const word = normalizeOptionalString(value)?.toLowerCase();
  if (word === undefined) return asBoolean(value);
  return truthy.includes(word) ? true : falsy.includes(word) ? false : undefined;
}

export function asFiniteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  readonly minExclusive?: boolean;
  readonly maxExclusive?: boolean;
}

export function asFiniteNumberInRange(value: unknown, range: NumberRange): number | undefined {
  const number = asFiniteNumber(value);
  if (number === undefined) return undefined;
  const { min = -Infinity, max = Infinity, minExclusive, maxExclusive } = range;
  const isLow = minExclusive === true ? number <= min : number < min;
  const isHigh = maxExclusive === true ? number >= max : number > max;
  return isLow || isHigh ? undefined : number;
}

export function asSafeIntegerInRange(
  value: unknown,
  range: Pick<NumberRange, 'min' | 'max'>,
): number | undefined {
  return Number.isSafeInteger(value) ? asFiniteNumberInRange(value, range) : undefined;
}

export function asPositiveSafeInteger(value: unknown): number | undefined {
  return asSafeIntegerInRange(value, { min: 1 });
}

/** A number, also as text that is one from its beginning to its end. */
export function parseFiniteNumber(value: unknown): number | undefined {
  const text = normalizeOptionalString(value);
  if (text === undefined) return asFiniteNumber(value);
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? asFiniteNumber(Number(text)) : undefined;
}

/** The texts of a list; what else stands in it is left out. */
export function filterStringEntries(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((each) => typeof each === 'string');
}

/** A text that is no blank, as it stands. */
export function readNonBlankString(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
