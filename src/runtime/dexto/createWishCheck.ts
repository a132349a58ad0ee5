// Threat: what the user asks a summary to keep is read by a model outside of any turn, past the guards that judge turns.
import { PincerError } from '../../base/errors.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { Session } from '../../sessions/session.ts';
import { agentStopped } from '../agentStopped.ts';
import type { RuntimeState } from '../runtimeState.ts';
import { callOutsideTurns } from './callOutsideTurns.ts';

/** What the user wants of a model that answers in no turn. */
export interface ModelWish {
  readonly session: Session;
  readonly model: ModelInfo;
  readonly signal: AbortSignal;
  /** The user's own words; undefined where there are none. */
  readonly text: string | undefined;
}

/**
 * The words as plugins left them.
 * @throws PincerError `agent_stopped`, `message_blocked` with the words of the plugin, `cancelled`
 */
export type WishCheck = (wish: ModelWish) => Promise<string | undefined>;

export function createWishCheck({
  problem,
  hooks,
}: Pick<RuntimeState, 'problem'> & { readonly hooks: HookRunner }): WishCheck {
  return async ({ session, model, signal, text }) => {
    const why = problem();
    if (why !== undefined) throw agentStopped(why);
    if (text === undefined || !hooks.has('beforeLLMRequest')) return text;
    const given = { text, sessionId: session.id };
    const call = callOutsideTurns(session, model);
    const { payload, block } = await hooks.modify('beforeLLMRequest', given, call, signal);
    if (block === undefined) return payload.text;
    throw new PincerError('message_blocked', `Plugin ${block.pluginId} stopped this: ${block.message}`);
  };
}
