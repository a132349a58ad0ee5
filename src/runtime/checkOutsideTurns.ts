// Threat: what models read and write outside of any turn goes past the guards that judge turns. What the user asks a summary to keep is
// read by a model, and the summary is an answer that is stored, shown and read again.
import { PincerError } from '../base/errors.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { PointContext } from '../hooks/payloads/pointHooks.ts';
import type { Session } from '../sessions/session.ts';
import { agentStopped } from './agentStopped.ts';
import type { RuntimeState } from './runtimeState.ts';

/** What the user wants of a model that answers in no turn. */
interface PromptOutsideTurn {
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
export type PromptCheck = (prompt: PromptOutsideTurn) => Promise<string | undefined>;

export function createPromptCheck({
  problem,
  hooks,
}: Pick<RuntimeState, 'problem'> & { readonly hooks: HookRunner }): PromptCheck {
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

/** The summary as `beforeResponse` plugins left it. @throws PincerError `summary_blocked` with the words of the plugin, `cancelled` */
type SummaryCheck = (text: string, model: ModelInfo, signal: AbortSignal) => Promise<string>;

export function createSummaryCheck(hooks: HookRunner, session: Session): SummaryCheck {
  return async (text, model, signal) => {
    if (!hooks.has('beforeResponse')) return text;
    const given = { content: text, provider: model.provider, model: model.model, sessionId: session.id };
    const call = callOutsideTurns(session, model);
    const { payload, block } = await hooks.modify('beforeResponse', given, call, signal);
    if (block === undefined) return payload.content;
    const message = `Plugin ${block.pluginId} stopped the summary: ${block.message}`;
    throw new PincerError('summary_blocked', message);
  };
}

/** What plugins are told of a model call that belongs to no turn: a run of its own, in the session and for its tenant. */
function callOutsideTurns(session: Session, model: ModelInfo): PointContext {
  const { id: sessionId, key: sessionKey, agentId, header } = session;
  const tenant = header.tenant === undefined ? {} : { tenant: header.tenant };
  return { runId: crypto.randomUUID(), sessionId, sessionKey, agentId, model, ...tenant };
}
