// Data and answers of code that nobody has to trust.
const maxDepth = 100;

/**
 * A deep copy for handing data to code we don't trust to leave it alone. Plain objects and arrays are copied by
 * hand, which is several times faster than `structuredClone`; instances of classes become plain objects, functions stay the
 * same functions. Only `toJSON` goes: as JSON, the copy must be what it is to those who read its fields.
 * @throws Error where data is nested deeper than 100 levels (a cycle, for one).
 */
export function copyData<T>(value: T): T {
  return (isObject(value) ? copyObject(value, 0, false) : value) as T;
}

/**
 * The same for what the host has made, or has copied by `copyData` before: lists and fields are what they seem to be, so that it takes
 * a tenth less, which every call of a handler would feel.
 */
export function copyOwnData<T>(value: T): T {
  return (isObject(value) ? copyObject(value, 0, true) : value) as T;
}

function copyObject(value: object, depth: number, isOwn: boolean): unknown {
  if (depth > maxDepth) throw new Error(`the data is nested deeper than ${String(maxDepth)} levels`);
  if (Array.isArray(value)) return copyList(value, depth, isOwn);
  return isBuiltIn(value) ? structuredClone(value) : copyRecord(value, depth, isOwn);
}

/** A list of others may have a `slice` or a constructor of its own, which would give a list that its maker keeps a hold of. */
function copyList(value: readonly unknown[], depth: number, isOwn: boolean): unknown[] {
  const result = isOwn ? value.slice() : [...value];
  for (let at = 0; at < result.length; at += 1) {
    const each = result[at];
    if (isObject(each)) result[at] = copyObject(each, depth + 1, isOwn);
  }
  return result;
}

/** Spreading copies all fields at once, and only what is nested costs more. */
function copyRecord(value: object, depth: number, isOwn: boolean): unknown {
  const result: Record<string, unknown> = { ...value };
  for (const key in result) {
    const each = result[key];
    if (!isObject(each)) continue;
    const copied = copyObject(each, depth + 1, isOwn);
    // The spread made every key a field of its own, one named `__proto__` too: this can't reach the prototype.
    result[key] = copied;
  }
  if (!isOwn && typeof result['toJSON'] === 'function') Reflect.deleteProperty(result, 'toJSON');
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Objects whose content is not in their fields. */
function isBuiltIn(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return false;
  return (
    value instanceof Date ||
    value instanceof Map ||
    value instanceof Set ||
    value instanceof RegExp ||
    value instanceof Error ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

/** Promises of other realms and of libraries have no common class, but all have a `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

/**
 * Calls back once when a promise of code we don't trust has settled; never at once, never throws. Whoever made a promise can give it a
 * `then` of its own, which throws, answers twice or answers before it returns: that is not the one called here.
 */
export function whenSettled(
  value: PromiseLike<unknown>,
  done: (value: unknown) => void,
  failed: (error: unknown) => void,
): void {
  try {
    void Promise.prototype.then.call(Promise.resolve(value), done, failed);
  } catch (error) {
    queueMicrotask(() => failed(error));
  }
}

/** A promise of our own that settles as `value` does: what is behind its `then` is always asked. */
export async function ownPromise<T>(value: PromiseLike<T>): Promise<T> {
  return await value;
}

/** An answer, of which a field that is absent or `null` is undefined; one of a wrong type throws an error that names it. */
type Fields = Readonly<Record<string, unknown>>;

export function readText(result: Fields, field: string): string | undefined {
  const value = result[field];
  if (value == null) return undefined;
  if (typeof value !== 'string') throw wrongType(field, 'text', value);
  return value;
}

export function readFlag(result: Fields, field: string): boolean {
  const value = result[field];
  if (value == null) return false;
  if (typeof value !== 'boolean') throw wrongType(field, 'true or false', value);
  return value;
}

export function readObject(result: Fields, field: string): Record<string, unknown> | undefined {
  const value = result[field];
  if (value == null) return undefined;
  if (!isObject(value) || Array.isArray(value)) throw wrongType(field, 'an object', value);
  return value as Record<string, unknown>;
}

export function readList(result: Fields, field: string): readonly unknown[] {
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
  return new Error(`"${field}" must be ${wanted}, not ${kindOf(value)}`);
}

/** For messages: what somebody gave in place of what was wanted. */
export function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
