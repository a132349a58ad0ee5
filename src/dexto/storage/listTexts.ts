import { notAList } from './storageErrors.ts';
import { readJson } from './jsonText.ts';

/**
 * What lies at a key, in the backends that keep lists item by item: a value that was set, and what was appended to it. With
 * anything appended the value is a list.
 */
export interface StoredRows {
  readonly value: string | undefined;
  readonly appended: readonly string[];
}

/** JSON texts as `JSON.stringify` writes them: only those of lists begin so. */
export function isListText(json: string): boolean {
  return json.startsWith('[');
}

/** The whole as one JSON text; undefined where nothing is. */
export function joinRows({ value, appended }: StoredRows): string | undefined {
  if (appended.length === 0) return value;
  const first = value === undefined ? '' : value.slice(1, -1);
  return `[${[first, ...appended].filter((each) => each !== '').join(',')}]`;
}

/** The items of a value that was set. @throws PincerError `storage_not_a_list` */
export function itemsOf(key: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  const list = readJson(key, value);
  if (!Array.isArray(list)) throw notAList(key);
  return list.map((item) => JSON.stringify(item));
}
