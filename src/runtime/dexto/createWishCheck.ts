// Threat: what the user asks a summary to keep is read by a model outside of any turn, past the guards that judge turns.
import { PincerError } from '../../base/errors.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { DextoPlugins } from '../../plugins/dexto/dextoPlugins.ts';
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
  points,
}: Pick<RuntimeState, 'problem'> & Pick<DextoPlugins, 'points'>): WishCheck {
  return async ({ session, model, signal, text }) => {
    const why = problem();
    if (why !== undefined) throw agentStopped(why);
    if (text === undefined || !points.has('beforeLLMRequest')) return text;
    const call = callOutsideTurns(session, model, signal);
    const end = await points.run('beforeLLMRequest', { text, sessionId: session.id }, call);
    if (end.outcome === 'passed') return end.payload.text;
    throw new PincerError('message_blocked', `Plugin ${end.pluginId} stopped this: ${end.message}`);
  };
}
