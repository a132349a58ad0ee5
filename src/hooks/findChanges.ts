// Threat: the trace tells what a redacting plugin took out. Where a hook's catalog row says so, a change is told by its size.
import { isRecord } from '../base/json.ts';
import { truncate } from '../base/text.ts';
import type { FieldChange } from './hookTrace.ts';

const maxChanges = 20;
const maxDepth = 6;
/** More than anybody is shown, so that a secret in it is still whole where it is looked for. */
const maxValue = 1_000;

/**
 * What is different in `after`, field by field, at most 20 of them. Parts that are the same object are not looked into.
 * `isHidden` gives sizes in place of values.
 */
export function findChanges(before: object, after: object, isHidden: boolean): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  const add = (path: string, old: unknown, now: unknown): void => {
    if (changes.length >= maxChanges) return;
    const show = isHidden ? sizeOf : textOf;
    changes.push({
      path,
      ...(old === undefined ? {} : { before: show(old) }),
      ...(now === undefined ? {} : { after: show(now) }),
      ...(isHidden ? { isHidden } : {}),
    });
  };
  compare('', before, after, 0, add);
  return changes;
}

type Add = (path: string, before: unknown, after: unknown) => void;

function compare(path: string, before: unknown, after: unknown, depth: number, add: Add): void {
  if (Object.is(before, after)) return;
  if (depth < maxDepth && isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) {
      compare(path === '' ? name : `${path}.${name}`, own(before, name), own(after, name), depth + 1, add);
    }
  } else if (depth < maxDepth && Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let at = 0; at < length; at += 1) {
      compare(`${path}[${at}]`, before[at] as unknown, after[at] as unknown, depth + 1, add);
    }
  } else if (!isSame(before, after)) add(path, before, after);
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isSame(before: unknown, after: unknown): boolean {
  const isData = typeof before === 'object' && typeof after === 'object';
  return isData && toJson(before) === toJson(after);
}

function textOf(value: unknown): string {
  return truncate(typeof value === 'string' ? value : toJson(value), maxValue);
}

function sizeOf(value: unknown): string {
  if (typeof value === 'string') return `${value.length} characters`;
  return Array.isArray(value) ? `${value.length} entries` : typeof value;
}

/** Never throws: data of plugins may hold anything. */
function toJson(value: unknown): string {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json ?? typeof value;
  } catch {
    return Object.prototype.toString.call(value);
  }
}
