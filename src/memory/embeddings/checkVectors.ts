import { normalizeEmbedding } from './normalizeEmbedding.ts';

/** The vectors with length 1, or what is wrong with them: a clause after the provider's name. */
export type CheckedVectors = { readonly vectors: readonly Float32Array[] } | { readonly fault: string };

/** `count`: texts that were sent. `dimensions`: what earlier answers had; undefined before the first. */
export function checkVectors(
  raw: readonly unknown[] | undefined,
  count: number,
  dimensions: number | undefined,
): CheckedVectors {
  if (raw === undefined) return { fault: 'sent an answer that holds no embeddings.' };
  if (raw.length !== count) {
    return { fault: `sent ${String(raw.length)} embeddings for ${String(count)} texts.` };
  }
  const vectors: Float32Array[] = [];
  for (const each of raw) {
    const numbers = readNumbers(each);
    if (numbers === undefined) return { fault: 'sent an embedding that is no list of numbers.' };
    const expected = dimensions ?? vectors[0]?.length ?? numbers.length;
    if (numbers.length !== expected) {
      return {
        fault: `sent an embedding of ${String(numbers.length)} numbers where others have ${String(expected)}.`,
      };
    }
    vectors.push(normalizeEmbedding(numbers));
  }
  return { vectors };
}

/** JSON has no NaN: servers write null for it. A list with nothing else says nothing, and is none. */
function readNumbers(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.map((each: unknown) => (each === null ? Number.NaN : each));
  if (!numbers.every((each): each is number => typeof each === 'number')) return undefined;
  return numbers.some(Number.isFinite) ? numbers : undefined;
}
