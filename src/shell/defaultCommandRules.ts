import type { ShellKind, CommandRules } from './commandPlan.ts';
import { harmlessCommands } from './harmlessCommands.ts';

interface DefaultRule {
  readonly pattern: string;
  /** Why, as the end of a sentence. */
  readonly reason: string;
}

/** Commands that need no question, where their files are no secret. */
const allow: readonly DefaultRule[] = Object.entries(harmlessCommands).map(([pattern, { does }]) => ({
  pattern,
  reason: does,
}));

const everything = ['/', "'/*'", '~', '~/', "'~/*'", '$HOME', '$HOME/', "'$HOME/*'"];
const disks = ['sd', 'hd', 'vd', 'xvd', 'nvme', 'mmcblk', 'disk', 'rdisk', 'mapper'];

/** Commands that no answer to a question starts: what they destroy does not come back. */
const deny: readonly DefaultRule[] = [
  ...['-r', '-R', '--recursive'].flatMap((option) =>
    everything.map((path) => ({ pattern: `rm ${option} ${path}`, reason: 'it deletes everything there' })),
  ),
  ...['chmod', 'chown'].flatMap((program) =>
    ['-R', '--recursive'].flatMap((option) =>
      ['/', "'/*'"].map((path) => ({
        pattern: `${program} ${option} ${path}`,
        reason: 'it changes who may use every file of the system',
      })),
    ),
  ),
  { pattern: 'mkfs', reason: 'it erases a disk' },
  { pattern: 'mkfs.*', reason: 'it erases a disk' },
  { pattern: 'wipefs', reason: 'it erases a disk' },
  ...disks.map((disk) => ({ pattern: `dd of=/dev/${disk}*`, reason: 'it overwrites a disk' })),
  ...[
    'shutdown',
    'reboot',
    'poweroff',
    'halt',
    'init 0',
    'init 6',
    'systemctl poweroff',
    'systemctl reboot',
  ].map((pattern) => ({ pattern, reason: 'it turns the machine off' })),
  ...['curl', 'wget'].flatMap((from) =>
    ['sh', 'bash', 'zsh', 'dash', 'fish', 'python', 'python3', 'node', 'sudo'].map((to) => ({
      pattern: `${from} | ${to}`,
      reason: 'it runs what a server sends, unread',
    })),
  ),
  { pattern: ':(){ :|:& };:', reason: 'it starts processes without end' },
];

/** Where only Windows' shells read the line: elsewhere `format` is a harmless script. */
const denyOnWindows: readonly DefaultRule[] = [
  { pattern: 'format *:', reason: 'it erases a disk' },
  { pattern: 'diskpart', reason: 'it erases disks' },
  { pattern: 'format-volume', reason: 'it erases a disk' },
  { pattern: 'clear-disk', reason: 'it erases a disk' },
  { pattern: 'vssadmin delete shadows', reason: 'it deletes the backups' },
  ...['stop-computer', 'restart-computer'].map((pattern) => ({
    pattern,
    reason: 'it turns the machine off',
  })),
  ...['rd', 'rmdir', 'del', 'remove-item', 'rm', 'ri'].flatMap((program) =>
    ['*:', '*:\\', '*:/'].map((path) => ({
      pattern: `${program} ${path}`,
      reason: 'it deletes a whole disk',
    })),
  ),
  ...['iwr', 'irm', 'invoke-webrequest', 'invoke-restmethod'].flatMap((from) =>
    ['iex', 'invoke-expression'].map((to) => ({
      pattern: `${from} | ${to}`,
      reason: 'it runs what a server sends, unread',
    })),
  ),
];

/** What holds without any configuration. */
export const defaultCommandRules = { allow, deny, denyOnWindows } as const;

const reasons: ReadonlyMap<string, string> = new Map(
  [...deny, ...denyOnWindows].map((rule) => [rule.pattern, rule.reason]),
);

/** Why a shipped pattern of the deny list is there; undefined for a user's own. */
export function reasonOfDefault(pattern: string): string | undefined {
  return reasons.get(pattern);
}

/** The user's patterns (`tools.exec.allow`, `tools.exec.deny`) beside the shipped ones, for one shell. */
export function commandRules(
  shell: ShellKind,
  own: { readonly allow: readonly string[]; readonly deny: readonly string[] },
): CommandRules {
  const shipped = shell === 'cmd' || shell === 'pwsh' ? [...deny, ...denyOnWindows] : deny;
  return {
    shell,
    // In PowerShell and cmd these words may be aliases or a file of the workspace.
    allow:
      shell === 'cmd' || shell === 'pwsh' ? own.allow : [...allow.map((rule) => rule.pattern), ...own.allow],
    deny: [...shipped.map((rule) => rule.pattern), ...own.deny],
  };
}
