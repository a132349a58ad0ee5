// Threat: a start-up file of the shell gives the words of an allowed line another meaning (an alias, a function), or simply
// talks into the output. Bash reads its own whenever its input is a socket, which our pipes are.
import type { ShellKind } from '../shell/commandPlan.ts';

/** The programs that read this syntax, best first, and what they are given. `cmd` has its own way: see `planCmdCall`. */
interface ShellCall {
  readonly names: readonly string[];
  readonly args: readonly string[];
}

const calls: Readonly<Record<Exclude<ShellKind, 'cmd'>, ShellCall>> = {
  bash: { names: ['bash'], args: ['--noprofile', '--norc', '-c'] },
  zsh: { names: ['zsh'], args: ['--no-rcs', '-c'] },
  fish: { names: ['fish'], args: ['--no-config', '-c'] },
  pwsh: { names: ['pwsh', 'powershell'], args: ['-NoProfile', '-NonInteractive', '-Command'] },
};

/** How a shell is given a whole line, which reaches it as one argument; start-up files are left out. Pure. */
export function planShellCall(shell: Exclude<ShellKind, 'cmd'>, line: string): ShellCall {
  const { names, args } = calls[shell];
  return { names, args: [...args, line] };
}
