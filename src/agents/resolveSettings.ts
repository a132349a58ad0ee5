import type { TurnLimits } from '../config/sections/agentSection.ts';
import type { ModelSettings } from '../contracts/model.ts';
import type { SessionSettings } from '../contracts/sessionEntry.ts';

/** What could be said in each place; all of it optional. */
interface SettingsInput {
  /** `agent` of the config. */
  readonly agentConfig: { readonly settings: ModelSettings };
  /** `agents.<id>` of the config. */
  readonly agent?: { readonly settings: ModelSettings } | undefined;
  readonly session?: SessionSettings | undefined;
  readonly turn?: ModelSettings | undefined;
}

/** The settings of one turn: turn before session before agent before general, each setting by itself. Pure. */
export function resolveSettings({ agentConfig, agent, session, turn }: SettingsInput): ModelSettings {
  const { model: _model, ...ofSession } = session ?? {};
  return { ...agentConfig.settings, ...agent?.settings, ...ofSession, ...turn };
}

/** The limits of one turn: the lower of two each. Pure. */
export function lowerLimits(limits: TurnLimits, lower: Partial<TurnLimits> = {}): TurnLimits {
  const least = (...all: readonly (number | undefined)[]): number | undefined => {
    const set = all.filter((each) => each !== undefined);
    return set.length === 0 ? undefined : Math.min(...set);
  };
  return {
    maxRounds: Math.min(limits.maxRounds, lower.maxRounds ?? Infinity),
    maxToolCalls: Math.min(limits.maxToolCalls, lower.maxToolCalls ?? Infinity),
    maxMs: Math.min(limits.maxMs, lower.maxMs ?? Infinity),
    maxTokens: least(limits.maxTokens, lower.maxTokens),
    maxCost: least(limits.maxCost, lower.maxCost),
  };
}
