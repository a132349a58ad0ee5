// Threat: a variable makes a harmless command run something else (`LD_PRELOAD`, `BASH_ENV`), and a command sends the user's keys
// away that lay in the environment. Keys are known by their names and by addresses with a password in them.
import { isSecretVariable } from '../base/secrets/secretFields.ts';
import { withGitGuard, type Environment } from './withGitGuard.ts';
import { PincerError } from '../base/errors.ts';

interface EnvironmentOptions {
  /** Windows compares names without case. */
  readonly isWindows: boolean;
  /** Names that are passed on although they look like secrets (`tools.exec.passEnv`). */
  readonly passEnv: readonly string[];
}

// Upstream's list, and names that do the same in other programs.
const forbidden =
  /^(?:LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|RUBYLIB|RUBYOPT|PERL5LIB|PERL5OPT|JAVA_TOOL_OPTIONS|BASH_ENV|ENV|GCONV_PATH|IFS|SSLKEYLOGFILE|PATH|PATHEXT|COMSPEC|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|ELECTRON_RUN_AS_NODE)$/u;

/** What would change how a line is read that was decided already, or is about this editor only. */
const notInherited =
  /^(?:BASH_ENV|ENV|IFS|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|PS4|PROMPT_COMMAND|BASH_FUNC_.*|ELECTRON_.*|VSCODE_.*)$/u;

/** Look like secrets and are none: folders, and the socket of the key agent. */
const noSecrets: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK']);

const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/iu;

/**
 * The environment a command gets: the host's own without secrets, what the call adds, and a guard for Git.
 *
 * @throws PincerError `env_forbidden` for a name that runs code (upstream's text), `env_invalid` for what is no variable
 */
export function filterEnvironment(
  base: Environment,
  extra: Environment,
  options: EnvironmentOptions,
): Environment {
  const fold = (name: string): string => (options.isWindows ? name.toUpperCase() : name);
  const passed = new Set(options.passEnv.map(fold));
  const result = new Map<string, [string, string]>();
  for (const [name, value] of Object.entries(base)) {
    if (passed.has(fold(name)) || isInherited(name, value, fold)) result.set(fold(name), [name, value]);
  }
  for (const [name, value] of Object.entries(extra)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name) || value.includes('\0')) throw environmentInvalid(name);
    if (forbidden.test(fold(name))) throw environmentForbidden(name);
    result.set(fold(name), [name, value]);
  }
  return withGitGuard(Object.fromEntries(result.values()));
}

function isInherited(name: string, value: string, fold: (name: string) => string): boolean {
  return !notInherited.test(fold(name)) && !isSecret(name, value);
}

/** A proxy keeps its password: without it nothing gets out. */
function isSecret(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (noSecrets.has(upper)) return false;
  return isSecretVariable(upper) || (!upper.endsWith('_PROXY') && addressWithPassword.test(value));
}

/** Upstream's text. */
const environmentForbidden = (name: string): PincerError =>
  new PincerError(
    'env_forbidden',
    `Security Violation: Environment variable '${name}' is forbidden during host execution.`,
    { hint: 'Run the command without it.' },
  );

const environmentInvalid = (name: string): PincerError =>
  new PincerError('env_invalid', `'${name}' can't be an environment variable`, {
    hint: 'Use letters, digits and _ in its name, and text without NUL in its value.',
  });
