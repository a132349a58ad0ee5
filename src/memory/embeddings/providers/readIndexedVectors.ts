import { isRecord } from '../../../base/json.ts';

/**
 * The vectors of `{data: [{index, embedding}]}` in the order of their indexes, which is not always the order they come in.
 * Undefined where there is no such list, or where its indexes are not each place once.
 */
export function readIndexedVectors(answer: unknown): readonly unknown[] | undefined {
  const data = isRecord(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data)) return undefined;
  const vectors = new Map<unknown, unknown>();
  for (const [place, item] of data.entries()) {
    if (!isRecord(item)) return undefined;
    // A few servers leave the index out, and then keep the order.
    vectors.set(item['index'] ?? place, item['embedding']);
  }
  const places = data.map((_item, place) => place);
  return places.every((place) => vectors.has(place)) ? places.map((place) => vectors.get(place)) : undefined;
}
