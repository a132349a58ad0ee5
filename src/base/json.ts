/** True for a plain object: not null, no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON with sorted keys, so that equal values have equal text. */
export function stableStringify(value: unknown): string {
  const json = JSON.stringify(value, (_key, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  ) as string | undefined;
  return json ?? 'null';
}

/** The parsed value, or undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper values are no data of a tool, and recursion over them would overflow the stack. */
export const maxJsonDepth = 64;

/** True where lists and objects lie more than `maxJsonDepth` levels deep in each other. Not recursive itself. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxJsonDepth) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return false;
}

/**
 * Close to the length of a value's JSON, and never more by more than a character; counting ends soon after `max`. However large or deep
 * the value is, it costs no more than `max` and the keys of one object. Pure.
 */
export function jsonSize(value: unknown, max: number): number {
  const left: unknown[] = [value];
  let size = 0;
  while (left.length > 0 && size <= max) {
    const each = left.pop();
    size += typeof each === 'string' ? each.length + 2 : 2;
    if (typeof each !== 'object' || each === null) continue;
    for (const key in each) {
      if (size > max) break;
      if (!Array.isArray(each)) size += key.length + 2;
      left.push((each as Readonly<Record<string, unknown>>)[key]);
    }
  }
  return size;
}

/** True for what JSON can hold without loss: plain objects, lists, texts, finite numbers, booleans and null. */
export function isJsonValue(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > maxJsonDepth) return false;
  if (Array.isArray(value)) return value.every((each) => isJsonValue(each, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((each) => isJsonValue(each, depth + 1));
}
