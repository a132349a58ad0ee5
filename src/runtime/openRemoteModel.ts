import type { Model } from '../contracts/model.ts';
import type { Host } from '../host/ports.ts';
import { createLibraryModel, type LibraryModelOptions } from '../models/library/createLibraryModel.ts';
import { createRetryingModel } from '../models/retry/createRetryingModel.ts';

/** A model behind a server: its protocol by the library, failures that pass asked again. */
export function openRemoteModel(host: Host, options: Omit<LibraryModelOptions, 'http' | 'clock'>): Model {
  const { http, clock } = host;
  return createRetryingModel(createLibraryModel({ ...options, http, clock }), { clock, random: Math.random });
}
