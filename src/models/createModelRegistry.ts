import { toDisposable, type Disposable } from '../base/disposable.ts';
import { PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import { inertLine } from '../base/text.ts';
import type { Model, ModelRef } from '../contracts/model.ts';
import { nearestFirst } from '../base/nearestFirst.ts';

/** The models that can be asked right now. */
export interface ModelRegistry extends Disposable {
  /**
   * Adds a model until the result is disposed.
   *
   * @throws PincerError `model_duplicate` when a model of that provider and name is there already.
   */
  register(model: Model): Disposable;
  /** In the order of registration. */
  list(): readonly Model[];
  get(ref: ModelRef): Model | undefined;
  /** As `resolve`, but undefined where there is no such model. */
  find(text: string): Model | undefined;
  /**
   * The model that a config or the command line names: `built-in`, or `<provider>/<model>`, where the model's own name may
   * have slashes too.
   *
   * @throws PincerError `model_unknown`, which lists what there is, the most similar name first.
   */
  resolve(text: string): Model;
  /** After a model came or went. */
  readonly onDidChange: Event<void>;
}

export function createModelRegistry(): ModelRegistry {
  const models = new Map<string, Model>();
  const changes: Emitter<void> = createEmitter();
  const find = (text: string): Model | undefined =>
    models.get(text.trim() === 'built-in' ? 'pincer/built-in' : text.trim());
  return {
    onDidChange: changes.event,
    register(model) {
      const name = refName(model.info);
      if (models.has(name)) {
        throw new PincerError('model_duplicate', `There is already a model named ${inertLine(name, 120)}.`, {
          hint: 'Give one of the two another provider or model name.',
        });
      }
      models.set(name, model);
      changes.fire();
      return toDisposable(() => {
        models.delete(name);
        changes.fire();
      });
    },
    list: () => [...models.values()],
    get: (ref) => models.get(refName(ref)),
    find,
    resolve(text) {
      const model = find(text);
      if (model === undefined) throw unknownModel(text.trim(), [...models.keys()]);
      return model;
    },
    dispose() {
      models.clear();
      changes.dispose();
    },
  };
}

/** `provider/model`, as `resolve` reads it. */
export function refName(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

function unknownModel(wanted: string, known: readonly string[]): PincerError {
  const names = nearestFirst(wanted, known).map((name) => (name === 'pincer/built-in' ? 'built-in' : name));
  const there =
    names.length === 0 ? 'There are no models.' : `There are: ${inertLine(names.join(', '), 400)}.`;
  return new PincerError('model_unknown', `There is no model “${inertLine(wanted, 120)}”. ${there}`, {
    hint: 'Name a model as provider/model, or add one with “Pincer: Add Model…”.',
  });
}
