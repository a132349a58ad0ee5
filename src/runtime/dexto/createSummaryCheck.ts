// Threat: a summary is an answer of a model that is stored, shown and read again, and no turn delivers it past the guards of answers.
import { PincerError } from '../../base/errors.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { DextoPlugins } from '../../plugins/dexto/dextoPlugins.ts';
import type { Session } from '../../sessions/session.ts';
import { callOutsideTurns } from './callOutsideTurns.ts';

/** The summary as `beforeResponse` plugins left it. @throws PincerError `summary_blocked` with the words of the plugin, `cancelled` */
export type SummaryCheck = (text: string, model: ModelInfo, signal: AbortSignal) => Promise<string>;

export function createSummaryCheck({ points }: Pick<DextoPlugins, 'points'>, session: Session): SummaryCheck {
  return async (text, model, signal) => {
    if (!points.has('beforeResponse')) return text;
    const payload = { content: text, provider: model.provider, model: model.model, sessionId: session.id };
    const end = await points.run('beforeResponse', payload, callOutsideTurns(session, model, signal));
    if (end.outcome === 'passed') return end.payload.content;
    throw new PincerError('summary_blocked', `Plugin ${end.pluginId} stopped the summary: ${end.message}`);
  };
}
