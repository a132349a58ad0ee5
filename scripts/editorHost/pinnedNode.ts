import { existsSync, realpathSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { projectRoot } from '../projectRoot.ts';

/** The Node that the project pins, or the one that runs this where `npm ci` could not bring it. */
export function pinnedNode(): { path: string; version: string } {
  const link = join(projectRoot, 'node_modules', '.bin', 'node');
  if (!existsSync(link)) return { path: process.execPath, version: process.version };
  const path = realpathSync(link);
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return { path, version: stdout.trim() };
}
