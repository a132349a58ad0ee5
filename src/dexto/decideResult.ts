import type { ReadAnswer } from './readResult.ts';

/** What becomes of an answer. */
export interface ResultDecision {
  readonly kind: 'passed' | 'blocked' | 'ignored' | 'declined';
  /** Whether `modify` counts. */
  readonly applies: boolean;
}

/**
 * The rules of Dexto plugin specification, Error Handling Pseudo-Code: what is not ok is not applied and stops only where a blocking
 * plugin cancels; what is ok is applied first, and may cancel then. A plugin that is not blocking never stops anything. Pure.
 */
export function decideResult(
  { ok, cancel }: Pick<ReadAnswer, 'ok' | 'cancel'>,
  blocking: boolean,
): ResultDecision {
  if (cancel) return { kind: blocking ? 'blocked' : 'ignored', applies: ok };
  return { kind: ok ? 'passed' : 'declined', applies: ok };
}
