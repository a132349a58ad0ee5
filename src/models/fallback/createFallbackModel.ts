import { PincerError } from '../../base/errors.ts';
import type { Model, ModelEvent, ModelFailure, ModelInfo, ModelRequest } from '../../contracts/model.ts';

/** The model that answers now, and why it is not the first one. */
interface Standing {
  readonly at: number;
  readonly because?: ModelFailure;
}

/**
 * Models that stand in for each other, as one: where one can't answer, the next does (`decideFallback`), told by a
 * `fallback` event before its answer. `info` is that of the first. The one that has stood in is asked first from then on,
 * and its answers begin with the same event: make one of these for each turn, so that the next turn tries the first again.
 */
export function createFallbackModel(models: readonly [Model, ...Model[]]): Model {
  let standing: Standing = { at: 0 };
  return {
    info: models[0].info,
    stream: (request) =>
      streamWithFallbacks(models, request, standing, (next) => {
        standing = next;
      }),
  };
}

async function* streamWithFallbacks(
  models: readonly [Model, ...Model[]],
  request: ModelRequest,
  start: Standing,
  moved: (to: Standing) => void,
): AsyncGenerator<ModelEvent> {
  let { at, because } = start;
  for (;;) {
    const model = models[at] ?? models[0];
    if (because !== undefined) yield { type: 'fallback', to: model.info, because };
    let hasBegun = false;
    try {
      for await (const event of model.stream(request)) {
        // A model that tries again has said nothing yet.
        hasBegun ||= event.type !== 'retry' && event.type !== 'fallback';
        yield event;
      }
      return;
    } catch (error) {
      if (hasBegun || request.signal.aborted || !(error instanceof PincerError)) throw error;
      const { code, message } = error;
      const next = decideFallback(code, model.info, models.slice(at + 1));
      if (next === undefined) throw error;
      at = models.indexOf(next);
      because = { code, message };
      moved({ at, because });
    }
  }
}

/** What another model would not do better, or must not do in its place: a refusal is an answer. */
const final: ReadonlySet<string> = new Set(['model_refused', 'model_aborted']);

/**
 * Which of the models left answers in place of one that failed with `code` before anything of its answer was there: the
 * next, but for a conversation that is too long only one that reads more at once. Undefined where none does. Pure.
 */
function decideFallback<M extends { readonly info: ModelInfo }>(
  code: string,
  failed: ModelInfo,
  left: readonly M[],
): M | undefined {
  if (!code.startsWith('model_') || final.has(code)) return undefined;
  if (code === 'model_context_overflow')
    return left.find(({ info }) => info.contextWindow > failed.contextWindow);
  return left[0];
}
