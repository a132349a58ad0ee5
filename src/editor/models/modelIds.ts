import type { ModelRef } from '../../contracts/model.ts';

/** Our vendor name in VS Code's model list. */
export const vendor = 'pincer';

/** The entry that follows the config's default model. */
export const automaticModelId = 'auto';

export function modelIdOf(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

/** Undefined for the automatic entry. */
export function refOfModelId(id: string): ModelRef | undefined {
  const slash = id.indexOf('/');
  return slash === -1 ? undefined : { provider: id.slice(0, slash), model: id.slice(slash + 1) };
}
