import type { AgentFile } from '../config/agentFile/agentFile.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import { planAgentFile, type AgentFilePlan, type KnownNames } from '../config/planAgentFile.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';

interface EffectiveConfigParts {
  /** What the config files say. */
  readonly config: () => PincerConfig;
  readonly file: () => AgentFile | undefined;
  readonly known: () => KnownNames;
}

/** The config with what the agent file says; worked out once for each of its parts. */
interface EffectiveConfig {
  get(): PincerConfig;
  /** What of the agent file has no effect. */
  diagnostics(): readonly Diagnostic[];
  /** The models have changed. */
  invalidate(): void;
}

export function createEffectiveConfig({ config, file, known }: EffectiveConfigParts): EffectiveConfig {
  let made:
    { readonly from: PincerConfig; readonly file: AgentFile; readonly plan: AgentFilePlan } | undefined;
  const plan = (): AgentFilePlan | undefined => {
    const from = config();
    const now = file();
    if (now === undefined) return undefined;
    if (made?.from !== from || made.file !== now)
      made = { from, file: now, plan: planAgentFile(now, from, known()) };
    return made.plan;
  };
  return {
    get: () => plan()?.config ?? config(),
    diagnostics: () => plan()?.diagnostics ?? [],
    invalidate() {
      made = undefined;
    },
  };
}
