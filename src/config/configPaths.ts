import { basename, dirname, join } from 'node:path';

/** Path of the user's own config file. `home` is `~/.pincer`, or what PINCER_HOME names. */
export function userConfigPath(home: string): string {
  return join(home, 'config.jsonc');
}

/** Path of a workspace folder's config file. */
export function workspaceConfigPath(folder: string): string {
  return join(folder, '.pincer', 'config.jsonc');
}

/** The folder that holds `.pincer`. A home that PINCER_HOME has moved stands for it too, so that nothing else is read. */
export function userHomeOf(home: string): string {
  return basename(home) === '.pincer' ? dirname(home) : home;
}

/** `~/.pincer`, or what PINCER_HOME names: config, consents, grants, global plugins. */
export function pincerHome(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const named = env['PINCER_HOME'];
  return named === undefined || named === '' ? join(userHome, '.pincer') : named;
}
