/** Readers for the parameters of a tool call. @throws Error `NAME required` where something required is not there. */

type Values = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  readonly required?: boolean;
  /** The name in error texts; default the key. */
  readonly label?: string;
}

export interface ReadStringOptions extends ReadOptions {
  /** Default true. */
  readonly trim?: boolean;
  readonly allowEmpty?: boolean;
}

interface MustBeThere {
  readonly required: true;
}

/** A text; empty ones count as missing unless `allowEmpty`. */
export function readStringParam(
  params: Values,
  key: string,
  options: ReadStringOptions & MustBeThere,
): string;
export function readStringParam(params: Values, key: string, options?: ReadStringOptions): string | undefined;
export function readStringParam(
  params: Values,
  key: string,
  options: ReadStringOptions = {},
): string | undefined {
  const raw = params[key];
  const text = typeof raw === 'string' ? (options.trim === false ? raw : raw.trim()) : undefined;
  if (text !== undefined && (text !== '' || options.allowEmpty === true)) return text;
  checkOptional(key, options);
  return undefined;
}

/** A text or a number, as text. */
export function readStringOrNumberParam(
  params: Values,
  key: string,
  options: ReadOptions = {},
): string | undefined {
  const raw = params[key];
  if (typeof raw === 'number' && Number.isFinite(raw)) return String(raw);
  return readStringParam(params, key, options);
}

/** A number, also from text that starts with one; `integer` cuts off what follows the point. */
export function readNumberParam(
  params: Values,
  key: string,
  options: ReadOptions & { readonly integer?: boolean } & MustBeThere,
): number;
export function readNumberParam(
  params: Values,
  key: string,
  options?: ReadOptions & { readonly integer?: boolean },
): number | undefined;
export function readNumberParam(
  params: Values,
  key: string,
  options: ReadOptions & { readonly integer?: boolean } = {},
): number | undefined {
  const raw = params[key];
  const number = typeof raw === 'string' ? Number.parseFloat(raw.trim()) : raw;
  if (typeof number === 'number' && Number.isFinite(number)) {
    return options.integer === true ? Math.trunc(number) : number;
  }
  checkOptional(key, options);
  return undefined;
}

export interface ReadIntegerOptions {
  readonly max?: number;
  /** In place of the usual text of the error. */
  readonly message?: string;
}

/** A whole number from 1. @throws Error where something else stands there */
export function readPositiveIntegerParam(
  params: Values,
  key: string,
  options: ReadIntegerOptions = {},
): number | undefined {
  return readIntegerParam(params, key, 1, { message: `${key} must be a positive integer`, ...options });
}

/** A whole number from 0. @throws Error where something else stands there */
export function readNonNegativeIntegerParam(
  params: Values,
  key: string,
  options: ReadIntegerOptions = {},
): number | undefined {
  return readIntegerParam(params, key, 0, { message: `${key} must be a non-negative integer`, ...options });
}

function readIntegerParam(
  params: Values,
  key: string,
  min: number,
  { max = Number.MAX_SAFE_INTEGER, message }: ReadIntegerOptions,
): number | undefined {
  const raw = params[key];
  if (raw === undefined || raw === null || raw === '') return undefined;
  const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max)
    return number;
  throw new Error(message);
}

/** True or false, also from the texts `true` and `false`. */
export function readBooleanParam(
  params: Values,
  key: string,
  options: ReadOptions = {},
): boolean | undefined {
  const raw = params[key];
  const word = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  checkOptional(key, options);
  return undefined;
}

/** A list of texts, also from one text: a JSON list, or parts between commas. Empty parts are left out. */
export function readStringArrayParam(
  params: Values,
  key: string,
  options: ReadOptions & MustBeThere,
): string[];
export function readStringArrayParam(
  params: Values,
  key: string,
  options?: ReadOptions,
): string[] | undefined;
export function readStringArrayParam(
  params: Values,
  key: string,
  options: ReadOptions = {},
): string[] | undefined {
  const texts = listOf(params[key]).flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [],
  );
  if (texts.length > 0) return texts;
  checkOptional(key, options);
  return undefined;
}

function listOf(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string') return [];
  return jsonListIn(raw.trim()) ?? raw.split(',');
}

function jsonListIn(text: string): readonly unknown[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch {
    // No JSON, though it looks like it: the parts between the commas are meant.
    return undefined;
  }
}

function checkOptional(key: string, { required, label }: ReadOptions): void {
  if (required === true) throw new Error(`${label ?? key} required`);
}
