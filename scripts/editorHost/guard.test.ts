import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const guard = join(import.meta.dirname, 'guard.ts');

// A program that ends on SIGTERM and a child of it that does not. Both tell their process ids.
const child = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');`;
const program = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', process.env.CHILD]);
  child.stdout.once('data', () => console.log(JSON.stringify([process.pid, child.pid])));
`;

/** A killed process that nobody has collected yet (state Z) is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

// Windows has no process groups, and no editor host either.
if (process.platform !== 'win32') {
  describe('guard', () => {
    it('ends a program, its children and its folder when the starter goes away', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pincer-guard-'));
      const starter = spawn(process.execPath, [guard, folder, process.execPath, '-e', program], {
        detached: true,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, CHILD: child },
      });
      const said = await new Promise<string>((resolve) =>
        starter.stdout.once('data', (chunk) => resolve(String(chunk))),
      );
      const pids = JSON.parse(said) as number[];
      expect(pids.map(isAlive)).toEqual([true, true]);
      starter.stdin.end();
      await new Promise((resolve) => starter.once('close', resolve));
      expect(existsSync(folder)).toBe(false);
      await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
    });
  });
}
