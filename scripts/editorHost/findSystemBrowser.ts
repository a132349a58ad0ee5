import { findOnPath } from '../findOnPath.ts';

/** A Chrome or Chromium of this machine: CHROME_PATH first, then the usual names on PATH. */
export function findSystemBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['CHROME_PATH'];
  if (named !== undefined && named !== '') return named;
  return findOnPath(['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'], env['PATH']);
}
