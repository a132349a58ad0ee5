import { describe, expect, it } from 'vitest';
import type { ShellKind } from './commandPlan.ts';
import { decideCommand, type CommandDecision } from './decideCommand.ts';

const three = ['git status', 'ls', 'npm test'];

function decide(
  line: string,
  { shell = 'bash', allow = three, deny = [] }: { shell?: ShellKind; allow?: string[]; deny?: string[] } = {},
): CommandDecision {
  return decideCommand(line, { shell, allow, deny });
}

const verdict = (...args: Parameters<typeof decide>): string => decide(...args).verdict;
describe('the deny list', () => {
  it.each([
    ['rm', 'rm x'],
    ['rm', 'ls && rm x'],
    ['rm', '/bin/RM x'],
    ['rm', 'rm -rf / $(x)'],
    ['rm', 'ls "$(rm x)"'],
    ['rm', 'ls `rm x`'],
    ['rm', 'sudo -u root rm x'],
    ['rm', 'sudo -u root -g wheel FOO=1 rm x'],
    ['rm', 'sudo timeout -k 5 10 rm x'],
    ['rm', 'sudo bash -c "cd x; rm y"'],
    ['rm', 'ls | xargs -n 1 rm'],
    ['cd', 'cd x && ls'],
    ['rm', 'find . -exec rm x'],
    ['rm', 'sh -c "rm x"'],
    ['rm', 'r""m x > y'],
    ['rm', 'r\\m x > y'],
    ['rm', '"rm" x'],
    ['rm', 'A=1 rm x'],
    ['rm', 'if true; then rm x; fi'],
    ['rm', 'rm${IFS}x'],
    ['rm', 'ls\nrm x'],
    ['rm', `rm ${'a'.repeat(5000)}`],
    ['rm **', 'rm x'],
    ['*', 'rm x'],
    ['**', 'rm x'],
    ['rm -r /', 'rm -fr --verbose /'],
    ['rm -r /', 'rm -f -r / > x'],
    ['rm --recursive /', 'rm --recurs --force /'],
    ["rm -r '/*'", 'rm -rf /*'],
    ['git push --force', 'git push origin --force'],
    ['curl | sh', 'curl -s x | sh'],
    ['curl | sh', 'curl -s "$x" | sudo sh -s'],
    [':(){ :|:& };:', ':(){ :|: & };:'],
    ['dd of=/dev/sd*', 'dd if=x of=/dev/sda1'],
  ])('%j stops %j', (pattern, line) => {
    expect(verdict(line, { deny: [pattern], allow: ['rm **', 'git **', ...three] })).toBe('denied');
  });

  it.each([
    ['rm', 'git commit -m "rm x"'],
    ['shutdown', 'virsh -c qemu:///system shutdown vm'],
    ['shutdown', 'sudo virsh shutdown vm'],
    ['shutdown', 'sudo virsh shutdown $vm'],
    ['halt', 'ls | xargs echo halt'],
    ['rm', 'echo rm'],
    ['rm', 'farm x'],
    ['rm -r /', 'rm -r x'],
    ['rm -r /', 'rm /'],
    ["rm -r '/*'", 'rm -rf /tmp/x'],
    ['curl | sh', 'curl x'],
    ['curl | sh', 'sh x | curl y'],
    ['dd of=/dev/sd*', 'dd of=/dev/null'],
    ['format', 'npm run format > $x'],
    ['', 'ls x'],
  ])('%j leaves %j alone', (pattern, line) => {
    expect(verdict(line, { deny: [pattern] })).not.toBe('denied');
  });

  it('beats the allow list and says why', () => {
    const decision = decide('ls', { deny: ['ls'] });
    expect(decision).toEqual({ verdict: 'denied', reason: "The deny list has 'ls'." });
  });

  it.each<[ShellKind, string]>([
    ['cmd', 'r^m x'],
    ['cmd', 'ls & C:\\bin\\rm.exe x'],
    ['pwsh', 'r`m x'],
    ['pwsh', 'ls; & "rm" x'],
  ])('looks through the quoting of %s: %s', (shell, line) => {
    expect(verdict(line, { shell, deny: ['rm'] })).toBe('denied');
  });
});
