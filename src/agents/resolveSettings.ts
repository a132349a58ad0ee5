import type { ModelSettings } from '../contracts/model.ts';
import type { SessionSettings } from '../contracts/session.ts';

/** Who chose a setting, the strongest first. */
export type SettingSource = 'turn' | 'session' | 'agent' | 'general';

/** The settings of one turn and who chose each. */
export interface ResolvedSettings {
  readonly settings: ModelSettings;
  readonly sources: { readonly [K in keyof ModelSettings]?: SettingSource };
}

/** What could be said in each place; all of it optional. */
export interface SettingsInput {
  /** `agent` of the config. */
  readonly agentConfig: { readonly settings: ModelSettings };
  /** `agents.<id>` of the config. */
  readonly agent?: { readonly settings: ModelSettings } | undefined;
  readonly session?: SessionSettings | undefined;
  readonly turn?: ModelSettings | undefined;
}

const names = ['temperature', 'maxTokens', 'thinking'] as const;

/** Turn before session before agent before general, each setting by itself. Pure. */
export function resolveSettings({ agentConfig, agent, session, turn }: SettingsInput): ResolvedSettings {
  const places: readonly (readonly [SettingSource, ModelSettings | undefined])[] = [
    ['turn', turn],
    ['session', session],
    ['agent', agent?.settings],
    ['general', agentConfig.settings],
  ];
  const chosen = names.flatMap((name) => {
    const found = places.find(([, said]) => said?.[name] !== undefined);
    return found === undefined ? [] : [{ name, source: found[0], value: found[1]?.[name] }];
  });
  return {
    settings: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
    sources: Object.fromEntries(chosen.map(({ name, source }) => [name, source])),
  };
}
