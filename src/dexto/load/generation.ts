import { stableStringify } from '../../base/json.ts';
import type { AgentFile } from '../agentFile/agentFile.ts';
import type { DextoPlan } from './planDextoPlugin.ts';
import type { CheckedPlugin, DextoCode } from './loadTypes.ts';

/** One plugin that runs. */
export interface RunningPlugin {
  /** What was decided when it was loaded; without the bytes of its files. */
  readonly plan: DextoPlan;
  readonly checked: CheckedPlugin;
  /** Where its code was loaded from; absent for built-in ones. */
  readonly code?: DextoCode;
  /** Milliseconds. */
  readonly initializeMs: number;
}

/** All plugins that run, and the file that names them: they come and go together. */
export interface Generation {
  readonly file: AgentFile;
  /** In the order they run. */
  readonly plugins: readonly RunningPlugin[];
  /** Equal keys mean that loading again would give the same. */
  readonly key: string;
}

/** A plugin that is to run: a new one, or what runs already because the user has not agreed to its changes yet. */
export interface GenerationMember {
  readonly plan: DextoPlan;
  /** Stands in for the plan's own version: nothing that the user has not agreed to is loaded. */
  readonly old?: RunningPlugin;
}

/**
 * Which of the plans run. A plugin whose files have changed waits for the user, and until then the version goes on that the user
 * agreed to: else a guard could be removed by changing its file. Pure.
 */
export function planMembers(
  plans: readonly DextoPlan[],
  current: Generation | undefined,
): readonly GenerationMember[] {
  return plans.flatMap((plan): readonly GenerationMember[] => {
    if (plan.enablement.enabled) return [{ plan }];
    if (plan.enablement.by !== 'consent' || plan.needsConsent?.why !== 'files-changed') return [];
    const old = current?.plugins.find((each) => isSame(each.plan, plan));
    return old === undefined ? [] : [{ plan, old }];
  });
}

function isSame(before: DextoPlan, plan: DextoPlan): boolean {
  return (
    before.id === plan.id &&
    before.origin === plan.origin &&
    before.candidate.rootDir === plan.candidate.rootDir
  );
}

/** Stands for everything that these members would be loaded from. Pure. */
export function keyOf(members: readonly GenerationMember[]): string {
  return stableStringify(members.map(({ plan, old }) => old?.plan.key ?? plan.key).sort());
}

/** The bytes of a plugin's files are needed only while it loads. */
export function withoutContents(plan: DextoPlan): DextoPlan {
  const { files: _contents, ...light } = plan;
  return light;
}
