// Threat: a variable such as LD_PRELOAD makes a harmless command run other code. What plugins add passes the same filter as
// what a call adds; a name that it forbids is dropped and told, since one plugin must not stop every command.
import { PincerError } from '../base/errors.ts';
import type { Turn } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Log } from '../host/ports.ts';
import type { ExecOperations } from '../sandbox/execOperations.ts';
import type { Environment } from '../shell/withGitGuard.ts';

/** The variables that plugins add to a command (`resolve_exec_env`). */
type PluginExecEnv = (turn: Turn, host: ExecOperations['host']) => Promise<Environment>;

export function createPluginExecEnv(parts: {
  readonly hooks: HookRunner;
  readonly folders: () => readonly string[];
  readonly log: Log;
  /** @throws PincerError for a name that may not be set */
  readonly check: (env: Environment) => void;
}): PluginExecEnv {
  return async ({ agentId, sessionKey, sessionId, runId, jobId, signal }, host) => {
    const { hooks } = parts;
    if (!hooks.has('resolve_exec_env')) return {};
    const [workspaceDir] = parts.folders();
    const event = { sessionKey, toolName: 'exec', host: host === 'local' ? 'gateway' : 'sandbox' } as const;
    const context = {
      ...(agentId === undefined ? {} : { agentId }),
      sessionKey,
      sessionId,
      runId,
      ...(jobId === undefined ? {} : { jobId }),
      ...(workspaceDir === undefined ? {} : { workspaceDir }),
    };
    const { env } = await hooks.modify('resolve_exec_env', event, context, signal);
    return Object.fromEntries(Object.entries(env).filter(([name, value]) => passes(parts, name, value)));
  };
}

function passes(
  { check, log }: { readonly check: (env: Environment) => void; readonly log: Log },
  name: string,
  value: string,
): boolean {
  try {
    check({ [name]: value });
    return true;
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    log.write('warn', `[exec] a plugin's variable was left out: ${error.message}`);
    return false;
  }
}
