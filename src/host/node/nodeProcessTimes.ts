import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';

/** What the system says of the start of a process; undefined where there is none or nothing is known. Never rejects. */
export type StartTimeOf = (pid: number) => Promise<string | undefined>;

/** What reading start times needs of the machine; both give undefined where it fails. */
export interface ProcessTimesDeps {
  readonly platform: NodeJS.Platform;
  readonly readText: (path: string) => Promise<string | undefined>;
  /** Runs a system tool and gives its output. */
  readonly run: (file: string, args: readonly string[]) => Promise<string | undefined>;
  /** The Windows folder; tools are named by it, never looked up. */
  readonly systemRoot: string;
}

/** Start times from `/proc` on Linux, by PowerShell on Windows, by `ps` elsewhere. */
export function createProcessTimes(deps: ProcessTimesDeps): StartTimeOf {
  if (deps.platform === 'linux') return linuxTimes(deps);
  return deps.platform === 'win32' ? windowsTimes(deps) : psTimes(deps);
}

/** The Windows folder. */
export function systemRoot(): string {
  return process.env['SystemRoot'] ?? 'C:\\Windows';
}

/** Of this machine. */
export function nodeProcessTimes(): StartTimeOf {
  return createProcessTimes({
    platform: process.platform,
    systemRoot: systemRoot(),
    readText: (path) => readFile(path, 'utf8').catch(() => undefined),
    run: (file, args) =>
      new Promise((resolve) => {
        const env = { LC_ALL: 'C', TZ: 'UTC', SystemRoot: systemRoot() };
        execFile(file, args, { env, timeout: 10_000, windowsHide: true }, (error, output) =>
          resolve(error === null ? output : undefined),
        );
      }),
  });
}

/** Ticks since the boot, so the boot is named too: else a process of the next one could look the same. */
function linuxTimes({ readText }: ProcessTimesDeps): StartTimeOf {
  let boot: Promise<string | undefined> | undefined;
  return async (pid) => {
    boot ??= readText('/proc/sys/kernel/random/boot_id');
    const ticks = startTicks((await readText(`/proc/${pid}/stat`)) ?? '');
    return ticks === undefined ? undefined : `${((await boot) ?? '').trim()}:${ticks}`;
  };
}

/** Field 22 of `/proc/<pid>/stat`; undefined for one that has ended. The name, field 2, may hold blanks and parentheses. */
function startTicks(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

function psTimes({ run }: ProcessTimesDeps): StartTimeOf {
  return async (pid) => orUndefined(await run('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]));
}

function windowsTimes({ run, systemRoot }: ProcessTimesDeps): StartTimeOf {
  const shell = win32.join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  return async (pid) => {
    const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`;
    return orUndefined(await run(shell, ['-NoProfile', '-NonInteractive', '-Command', script]));
  };
}

function orUndefined(output: string | undefined): string | undefined {
  const text = output?.trim();
  return text === '' ? undefined : text;
}
