import type { ModelInfo } from '../../contracts/model.ts';

/** What another model would not do better, or must not do in its place: a refusal is an answer. */
const final: ReadonlySet<string> = new Set(['model_refused', 'model_aborted']);

/**
 * Which of the models left answers in place of one that failed with `code` before anything of its answer was there: the
 * next, but for a conversation that is too long only one that reads more at once. Undefined where none does. Pure.
 */
export function decideFallback<M extends { readonly info: ModelInfo }>(
  code: string,
  failed: ModelInfo,
  left: readonly M[],
): M | undefined {
  if (!code.startsWith('model_') || final.has(code)) return undefined;
  if (code === 'model_context_overflow')
    return left.find(({ info }) => info.contextWindow > failed.contextWindow);
  return left[0];
}
