// Threat: a summary is an answer of a model that is stored, shown and read again, and no turn delivers it past the guards of answers.
import { PincerError } from '../../base/errors.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { Session } from '../../sessions/session.ts';
import { callOutsideTurns } from './callOutsideTurns.ts';

/** The summary as `beforeResponse` plugins left it. @throws PincerError `summary_blocked` with the words of the plugin, `cancelled` */
export type SummaryCheck = (text: string, model: ModelInfo, signal: AbortSignal) => Promise<string>;

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
