import { isRecord } from '../../base/json.ts';
import type { KeyPath } from './parseAgentYaml.ts';

/** What stands at this path; undefined where nothing does. */
export function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return (value as unknown[])[Number(key)];
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}
