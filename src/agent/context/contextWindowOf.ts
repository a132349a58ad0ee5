import type { ModelInfo } from '../../contracts/model.ts';
import type { AgentHookContext } from '../../hooks/payloads/hookContexts.ts';

export type ContextWindowFacts = Pick<
  AgentHookContext,
  'contextTokenBudget' | 'contextWindowSource' | 'contextWindowReferenceTokens'
>;

/**
 * What hooks are told of a model's window (OpenClaw hooks): `budget` is what a prompt may have after every cap, absent where nothing
 * caps it; the whole window stands beside it where it is longer. Pure.
 */
export function contextWindowOf(
  { contextWindow, contextWindowSource = 'model' }: ModelInfo,
  budget = contextWindow,
): ContextWindowFacts {
  return {
    contextTokenBudget: budget,
    contextWindowSource,
    ...(budget < contextWindow ? { contextWindowReferenceTokens: contextWindow } : {}),
  };
}
