import type { ModelRef } from '../../contracts/model.ts';
import { builtInModelInfo } from '../../models/builtIn/builtInModelInfo.ts';

/** True for the model that is no AI and answers those who have none: it can't summarise and uses no tokens. Pure. */
export function isBuiltIn({ provider, model }: ModelRef): boolean {
  return provider === builtInModelInfo.provider && model === builtInModelInfo.model;
}
