import { stat, type Stats } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from './codeOf.ts';

/** Linux takes the times of files from a clock that ticks every 4 to 10 ms: within a tick a second change leaves no trace. */
const tickMs = 20;
const maxWaits = 3;
/** More at once are no faster, and other reads of the process wait behind them. */
const atOnce = 64;

export async function stamp(path: string): Promise<string> {
  for (let waits = 0; ; waits += 1) {
    const found = await look(path);
    if (waits === maxWaits || typeof found === 'string' || !isYoung(found)) return textOf(found);
    await setTimeout(tickMs);
  }
}

export async function stamps(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let path = paths[next]; path !== undefined; path = paths[next]) {
      const at = next;
      next += 1;
      found[at] = textOf(await look(path));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, work));
  return found;
}

/** Why it can't be looked at where that is so, empty where nothing is there. The callback costs half of what the promise does. */
function look(path: string): Promise<Stats | string> {
  return new Promise((resolve) => {
    stat(path, (error, stats) => {
      const code = error === null ? '' : (codeOf(error) ?? 'failed');
      resolve(error === null ? stats : ['ENOENT', 'ENOTDIR'].includes(code) ? '' : code);
    });
  });
}

/** The times alone would miss a file that another has taken the place of, such as one that a package manager links. */
function textOf(found: Stats | string): string {
  if (typeof found === 'string') return found;
  return [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ');
}

function isYoung({ ctimeMs }: Stats): boolean {
  const age = Date.now() - ctimeMs;
  return age >= 0 && age < tickMs;
}
