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

interface Place {
  readonly name: string;
  readonly target: object;
  readonly before: readonly (readonly [PropertyKey, PropertyDescriptor])[];
  /** True where even a new field harms: everything inherits it. */
  readonly isClosed: boolean;
}

/** Runs code of a plugin; `repaired` names the globals it had damaged, as far as they could be put back. */
export function protectGlobals<T>(run: () => T): {
  readonly result: T;
  readonly repaired: readonly string[];
} {
  const places = takePlaces();
  let repaired: readonly string[] = [];
  const repair = (): void => {
    repaired = places.flatMap(repairPlace);
  };
  try {
    const result = run();
    repair();
    return { result, repaired };
  } catch (error) {
    repair();
    throw error;
  }
}

function takePlaces(): readonly Place[] {
  const place = (name: string, target: object, isClosed = false): Place => ({
    name,
    target,
    isClosed,
    before: Reflect.ownKeys(target).flatMap((key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(target, key);
      return descriptor === undefined ? [] : [[key, descriptor] as const];
    }),
  });
  const builtIns = guarded.flatMap((name) => {
    const value: unknown = Reflect.get(globalThis, name);
    if (!isObject(value)) return [];
    const prototype: unknown = 'prototype' in value ? value.prototype : undefined;
    const isClosed = name === 'Object' || name === 'Array' || name === 'Function';
    return [
      place(name, value),
      ...(isObject(prototype) ? [place(`${name}.prototype`, prototype, isClosed)] : []),
    ];
  });
  return [place('', globalThis), ...builtIns];
}

function repairPlace({ name, target, before, isClosed }: Place): readonly string[] {
  const nameOf = (key: PropertyKey): string => (name === '' ? String(key) : `${name}.${String(key)}`);
  const damaged = before.filter(([key, descriptor]) => {
    const now = Reflect.getOwnPropertyDescriptor(target, key);
    return now === undefined || isReplaced(descriptor, now);
  });
  for (const [key, descriptor] of damaged) Reflect.defineProperty(target, key, descriptor);
  const known = new Set(before.map(([key]) => key));
  const added = isClosed ? Reflect.ownKeys(target).filter((key) => !known.has(key)) : [];
  for (const key of added) Reflect.deleteProperty(target, key);
  return [...damaged.map(([key]) => nameOf(key)), ...added.map(nameOf)];
}

/** Node defines some globals as getters that become values when they are first read; that is no damage. */
function isReplaced(before: PropertyDescriptor, now: PropertyDescriptor): boolean {
  if (before.get !== undefined) return now.get !== undefined && now.get !== before.get;
  return typeof before.value === 'function' || isObject(before.value) ? now.value !== before.value : false;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
