// Threat: plugins share one process. One that deletes or replaces a built-in (`fetch`, `JSON.parse`, `Array.prototype.map`),
// on purpose or not, breaks the host and every other plugin. What is gone or changed after its code ran is put back.

/** Built-ins whose own methods others rely on, with their prototypes. */
const guarded = [
  'Object',
  'Function',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'Promise',
  'Map',
  'Set',
  'WeakMap',
  'Date',
  'RegExp',
  'Error',
  'JSON',
  'Math',
  'Reflect',
  'Buffer',
] as const;

/** What tools set for a while, the transpiler among them. */
const mayChange: ReadonlySet<PropertyKey> = new Set(['prepareStackTrace', 'stackTraceLimit']);

// The repair itself must not lean on what may be broken, so it works with plain loops and with what was taken here.
const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect;
const toText = String;

interface ProtectedObject {
  readonly name: string;
  readonly target: object;
  readonly keys: readonly PropertyKey[];
  /** By the same index as `keys`. */
  readonly descriptors: readonly PropertyDescriptor[];
  /** True where even a new field harms: everything inherits it. */
  readonly isClosed: boolean;
}

/** Globals that code had damaged: those that were put back, and those that could not be. */
export interface GlobalDamage {
  readonly repaired: readonly string[];
  /** Only a new process has them as they were. */
  readonly lost: readonly string[];
}

/** Runs code of a plugin and says what it had damaged. */
export function protectGlobals<T>(run: () => T): GlobalDamage & { readonly result: T } {
  const objects = protectedObjects();
  const repaired: string[] = [];
  const lost: string[] = [];
  try {
    const result = run();
    return { result, repaired, lost };
  } finally {
    let index = 0;
    while (index < objects.length) {
      repair(objects[index], repaired, lost);
      index += 1;
    }
  }
}

function protectedObjects(): readonly ProtectedObject[] {
  const builtIns = guarded.flatMap((name) => {
    const value: unknown = Reflect.get(globalThis, name);
    if (!isObject(value)) return [];
    const prototype: unknown = 'prototype' in value ? value.prototype : undefined;
    const isClosed = name === 'Object' || name === 'Array' || name === 'Function';
    return [
      snapshotOf(name, value),
      ...(isObject(prototype) ? [snapshotOf(`${name}.prototype`, prototype, isClosed)] : []),
    ];
  });
  return [snapshotOf('', globalThis), ...builtIns];
}

function snapshotOf(name: string, target: object, isClosed = false): ProtectedObject {
  const keys: PropertyKey[] = [];
  const descriptors: PropertyDescriptor[] = [];
  for (const key of ownKeys(target)) {
    const descriptor = getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined || mayChange.has(key)) continue;
    keys.push(key);
    descriptors.push(descriptor);
  }
  return { name, target, keys, descriptors, isClosed };
}

function repair(object: ProtectedObject | undefined, repaired: string[], lost: string[]): void {
  if (object === undefined) return;
  const { name, target, keys, descriptors, isClosed } = object;
  const note = (key: PropertyKey, isDone: boolean): void => {
    const names = isDone ? repaired : lost;
    names[names.length] = name === '' ? toText(key) : `${name}.${toText(key)}`;
  };
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index];
    const before = descriptors[index];
    if (key === undefined || before === undefined) continue;
    const now = getOwnPropertyDescriptor(target, key);
    if (now !== undefined && !isReplaced(before, now)) continue;
    note(key, putBack(target, key, before));
  }
  if (!isClosed) return;
  const after = ownKeys(target);
  let index = 0;
  while (index < after.length) {
    const key = after[index];
    index += 1;
    if (key === undefined || isAmong(keys, key)) continue;
    note(key, deleteProperty(target, key));
  }
}

/** What can't be configured any more may still take its old value. */
function putBack(target: object, key: PropertyKey, before: PropertyDescriptor): boolean {
  if (defineProperty(target, key, before)) return true;
  return before.get === undefined && defineProperty(target, key, { value: before.value as unknown });
}

function isAmong(keys: readonly PropertyKey[], key: PropertyKey): boolean {
  let index = 0;
  while (index < keys.length && keys[index] !== key) index += 1;
  return index < keys.length;
}

/** Node defines some globals as getters that become values when they are first read; that is no damage. */
function isReplaced(before: PropertyDescriptor, now: PropertyDescriptor): boolean {
  if (before.get !== undefined) return now.get !== undefined && now.get !== before.get;
  return typeof before.value === 'function' || isObject(before.value) ? now.value !== before.value : false;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
