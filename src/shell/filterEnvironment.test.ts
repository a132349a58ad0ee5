import { describe, expect, it } from 'vitest';
import { filterEnvironment } from './filterEnvironment.ts';
import type { Environment } from './withGitGuard.ts';

/** Without the guard for Git, which is always there. */
function filter(
  base: Environment,
  extra: Environment = {},
  isWindows = false,
  passEnv: string[] = [],
): Environment {
  const { GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0, ...rest } = filterEnvironment(base, extra, {
    isWindows,
    passEnv,
  });
  expect([GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0]).toEqual([
    '1',
    'safe.bareRepository',
    'explicit',
  ]);
  return rest;
}

const isPassed = (name: string, value = 'x'): boolean => Object.keys(filter({ [name]: value })).length === 1;

describe('filterEnvironment', () => {
  it.each([
    'NEXT_TOKEN',
    'MAX_TOKENS',
    'MY_CRED',
    'GITHUB_TOKEN',
    'github_token',
    'OPENAI_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASSWORD',
    'PGPASSWORD',
    'MY_SECRET',
    'NPM_CONFIG__AUTH',
    'npm_config__authToken',
    'SSH_KEY_PATH',
    'APIKEY',
    'GH_PAT',
    'SENTRY_DSN',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'SESSION_COOKIE',
    'DB_PASS',
    'BASH_ENV',
    'ENV',
    'IFS',
    'BASH_FUNC_ls%%',
    'VSCODE_IPC_HOOK_CLI',
    'ELECTRON_RUN_AS_NODE',
    'SHELLOPTS',
    'PROMPT_COMMAND',
  ])('keeps %s back', (name) => {
    expect(isPassed(name)).toBe(false);
  });

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'LANG',
    'SSH_AUTH_SOCK',
    'KEYBOARD',
    'GNOME_KEYRING_CONTROL',
    'XAUTHORITY',
    'PATTERN',
    'COMPASS',
    'LD_LIBRARY_PATH',
    'ProgramFiles(x86)',
  ])('passes %s on', (name) => {
    expect(isPassed(name)).toBe(true);
  });

  it('keeps addresses with a password back, but not of a proxy', () => {
    expect(isPassed('DATABASE_URL', 'postgres://u:p@h/db')).toBe(false);
    expect(isPassed('DATABASE_URL', 'postgres://h:80/db')).toBe(true);
    expect(isPassed('https_proxy', 'http://u:p@h')).toBe(true);
  });

  it('passes on what the user names', () => {
    expect(filter({ GITHUB_TOKEN: 'a', X_TOKEN: 'b' }, {}, false, ['GITHUB_TOKEN'])).toEqual({
      GITHUB_TOKEN: 'a',
    });
    expect(filter({ GitHub_Token: 'a' }, {}, true, ['GITHUB_TOKEN'])).toEqual({ GitHub_Token: 'a' });
    expect(filter({ GitHub_Token: 'a' }, {}, false, ['GITHUB_TOKEN'])).toEqual({});
  });

  it.each([
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'BASH_ENV',
    'ENV',
    'IFS',
    'PATH',
    'SSLKEYLOGFILE',
    'GCONV_PATH',
  ])('refuses a call that sets %s', (name) => {
    expect(() => filter({}, { [name]: 'x' })).toThrow(
      `Security Violation: Environment variable '${name}' is forbidden during host execution.`,
    );
  });

  it('compares names without case only on Windows', () => {
    expect(() => filter({}, { Path: 'x' }, true)).toThrow("'Path' is forbidden");
    expect(filter({ PATH: 'a' }, { Path: 'x' })).toEqual({ PATH: 'a', Path: 'x' });
    expect(filter({ Foo: 'a' }, { FOO: 'b' }, true)).toEqual({ FOO: 'b' });
    expect(filter({ Foo: 'a' }, { FOO: 'b' })).toEqual({ Foo: 'a', FOO: 'b' });
  });

  it('adds what the call sets, a secret too: the user sees it in the question', () => {
    expect(filter({ A: '1' }, { A: '2', MY_TOKEN: 't' })).toEqual({ A: '2', MY_TOKEN: 't' });
  });

  it.each([
    ['', 'x'],
    ['A=B', 'x'],
    ['BASH_FUNC_ls%%', '() { x; }'],
    ['A', 'x\0y'],
    ['Ａ', 'x'],
    ['A\n', 'x'],
  ])('refuses what is no variable: %j', (name, value) => {
    expect(() => filter({}, { [name]: value })).toThrow("can't be an environment variable");
  });
});
