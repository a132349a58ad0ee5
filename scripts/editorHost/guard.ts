// Runs a program for exactly as long as its starter lives, whatever ends the starter (even SIGKILL): the starter holds the
// other end of this process's stdin. When that closes, every process of this group ends and the given folder is removed.
//
//   node guard.ts <folder> <program> [arguments]
//
// To be started detached, so that the group is this process, the program and its children.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder, program, ...args] = process.argv.slice(2);
if (folder === undefined || program === undefined)
  throw new Error('Usage: guard.ts <folder> <program> [arguments]');

const graceMs = 3_000;
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let ending = false;

process.on('SIGTERM', () => {
  // The signal that this process sends to its own group.
});
process.stdin.resume().once('close', endGroup);
child.once('error', (error) => {
  console.error(`${program}: ${error.message}`);
  endGroup();
});
child.once('exit', (code) => {
  if (!ending) console.error(`${program} ended by itself with code ${String(code)}.`);
  finish();
});

function endGroup(): void {
  ending = true;
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(finish, graceMs);
}

/** Removes the folder, then ends what is left of the group, this process included. */
function finish(): void {
  rmSync(folder ?? '', { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.kill(-process.pid, 'SIGKILL');
}
