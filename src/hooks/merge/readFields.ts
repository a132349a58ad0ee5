import { isRecord } from '../../base/json.ts';
import type { RawResult } from '../hookTypes.ts';

/** Readers for the fields of a handler's result: absent and `null` are undefined, a wrong type throws and names the field. */

export function readText(result: RawResult, field: string): string | undefined {
  const value = result[field];
  if (value == null) return undefined;
  if (typeof value !== 'string') throw wrongType(field, 'text', value);
  return value;
}

export function readFlag(result: RawResult, field: string): boolean {
  const value = result[field];
  if (value == null) return false;
  if (typeof value !== 'boolean') throw wrongType(field, 'true or false', value);
  return value;
}

export function readObject(result: RawResult, field: string): Record<string, unknown> | undefined {
  const value = result[field];
  if (value == null) return undefined;
  if (!isRecord(value)) throw wrongType(field, 'an object', value);
  return value;
}

export function readList(result: RawResult, field: string): readonly unknown[] {
  const value = result[field];
  if (value == null) return [];
  if (!Array.isArray(value)) throw wrongType(field, 'a list', value);
  return value;
}

/** The value if it is one of `choices`; anything else counts as absent. */
export function readChoice<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

function wrongType(field: string, wanted: string, value: unknown): Error {
  const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
  return new Error(`"${field}" must be ${wanted}, not ${got}`);
}
