import type { Model } from '../contracts/model.ts';
import type { Host } from '../host/ports.ts';
import { createLibraryModel, type LibraryModelOptions } from '../models/library/createLibraryModel.ts';
import { createRetryingModel } from '../models/retry/createRetryingModel.ts';

/**
 * A model behind a server: its protocol by the library, failures that pass asked again. `wrap` puts something around what asks once.
 */
export function openRemoteModel(
  host: Host,
  options: Omit<LibraryModelOptions, 'http' | 'clock'>,
  wrap: (model: Model) => Model = (model) => model,
): Model {
  const { http, clock } = host;
  const model = wrap(createLibraryModel({ ...options, http, clock }));
  return createRetryingModel(model, { clock, random: Math.random });
}
