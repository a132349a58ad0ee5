import { basename } from 'node:path';
import type { Model } from '../contracts/model.ts';
import { createMarkdownSearch } from '../memory/createMarkdownSearch.ts';
import { createBuiltInModel } from '../models/builtIn/createBuiltInModel.ts';
import type { RuntimeInput } from './runtime.ts';

/** The built-in model over the markdown of the workspace folders. */
export function createBuiltIn(input: RuntimeInput, folders: () => readonly string[]): Model {
  const search = createMarkdownSearch({
    fs: input.host.fs,
    clock: input.host.clock,
    roots: () => folders().map((path) => ({ path, name: basename(path) })),
    report: (diagnostic) => input.host.log.write(diagnostic.level, diagnostic.message),
  });
  return createBuiltInModel({
    search: (query, options) => search.search(query, options),
    fileLink: input.fileLink,
  });
}
