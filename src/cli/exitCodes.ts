/** What the process ends with, for scripts. */
export const exitCodes = {
  ok: 0,
  /** The run or the command failed; the reason stands on standard error. */
  failed: 1,
  /** The command line or the config asks for something that is not there or makes no sense. */
  usage: 2,
  /** A plugin stopped the message, or the answer. */
  blocked: 3,
  /** Ctrl-C. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const usageErrors: readonly string[] = [
  'agent_unknown',
  'approval_ambiguous',
  'approval_unknown',
  'bundle_missing',
  'commands_unreadable',
  'confirmation_missing',
  'gateway_token_missing',
  'gateway_token_weak',
  'gateway_tokens_equal',
  'glob_invalid',
  'hook_unknown',
  'memory_disabled',
  'memory_file_unknown',
  'message_empty',
  'model_unknown',
  'option_invalid',
  'output_exists',
  'plugin_folder_exists',
  'plugin_id_invalid',
  'plugin_not_installable',
  'plugin_not_installed',
  'plugin_path_not_found',
  'plugin_unknown',
  'query_empty',
  'record_exists',
  'runtime_unknown',
  'session_agent_differs',
  'session_ambiguous',
  'session_name_invalid',
  'session_turn_unknown',
  'session_unknown',
  'settings_invalid',
  'tenant_invalid',
  'tenant_mismatch',
  'tool_unknown',
  'trace_unknown',
  'usage',
  'workspace_missing',
];

/** The exit code for an error's code. */
export function exitCodeOfError(code: string): ExitCode {
  if (code === 'cancelled') return exitCodes.cancelled;
  return usageErrors.includes(code) ? exitCodes.usage : exitCodes.failed;
}
