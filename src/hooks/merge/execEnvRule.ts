import type { MergeRule } from '../hookTypes.ts';
import type { ExecEnv, ResolveExecEnvEvent } from '../payloads/toolHooks.ts';

/** `resolve_exec_env`: every variable counts, of two with one name the later. */
export const execEnvRule: MergeRule<ResolveExecEnvEvent, { readonly env: ExecEnv }> = {
  initial: () => ({ env: {} }),
  fold(outcome, result) {
    const odd = Object.keys(result).find((name) => typeof result[name] !== 'string');
    if (odd !== undefined) throw new Error(`"${odd}" must be a text`);
    return { env: { ...outcome.env, ...(result as ExecEnv) } };
  },
  view: (event) => event,
};
