import type { Model } from '../contracts/model.ts';
import type { Memory } from '../memory/memory.ts';
import { createBuiltInModel } from '../models/builtIn/createBuiltInModel.ts';
import type { RuntimeInput } from './runtime.ts';

/** How long an answer waits for files that have changed: long enough for a usual workspace at the first question. */
const waitMs = 2_000;

/** The built-in model over the memory of the workspace. */
export function createBuiltIn({ fileLink }: RuntimeInput, memory: Memory): Model {
  return createBuiltInModel({
    search: async (query, { limit, signal }) =>
      (await memory.search(query, { maxResults: limit, minScore: 0, waitMs }, signal)).hits,
    fileLink,
  });
}
