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
