/** Below it a vector has no direction to speak of (OpenClaw core flow). */
const smallestLength = 1e-10;

/**
 * The vector with length 1: what is not finite counts as 0, and a vector without a length stays as it is (OpenClaw core flow,
 * `sanitizeAndNormalizeEmbedding`). Reckons in double precision; what it gives is stored in single.
 */
export function normalizeEmbedding(vector: ArrayLike<number>): Float32Array {
  const clean = Array.from(vector, (value) => (Number.isFinite(value) ? value : 0));
  const length = Math.sqrt(clean.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(length < smallestLength ? clean : clean.map((value) => value / length));
}
