import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rules, shellLine } from '../../test/fuzz/shell.ts';
import type { CommandPlan } from './commandPlan.ts';
import { decideCommand } from './decideCommand.ts';
import { readLine } from './readLine.ts';

const bash = '/bin/bash';
const home = '/home/u';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Every line by the real bash. Its programs only write down how many words they got and which; a `-` ends a line. There is no
 * PATH, so that a line that should never have been allowed can't start anything either.
 */
const recorder = `
set -f
exec 3>>"$OUT"
record() { printf '%s\\0' "$#" "$@" >&3; return "$CODE"; }
for name in ls git npm tool; do eval "$name() { record $name \\"\\$@\\"; }"; done
PATH=/nonexistent
while IFS= read -r -d '' LINE; do eval "$LINE"; printf -- '-\\0' >&3; done <"$LINES" >/dev/null 2>&1
`;

/** For each line the words of each command that bash ran. */
function byBash(lines: readonly string[], code: number): string[][][] {
  const paths = { OUT: join(folder, 'out'), LINES: join(folder, 'lines') };
  writeFileSync(paths.OUT, '');
  writeFileSync(paths.LINES, lines.map((line) => `${line}\0`).join(''));
  const env = { ...paths, CODE: String(code), HOME: home, LC_ALL: 'C.UTF-8' };
  execFileSync(bash, ['--norc', '--noprofile', '-c', recorder], { cwd: folder, env, stdio: 'ignore' });
  const tokens = readFileSync(paths.OUT, 'utf8').split('\0');
  const runs: string[][][] = [[]];
  for (let at = 0; at < tokens.length - 1; at += 1) {
    if (tokens[at] === '-') runs.push([]);
    else {
      const count = Number(tokens[at]);
      runs.at(-1)?.push(tokens.slice(at + 1, at + 1 + count));
      at += count;
    }
  }
  return runs.slice(0, -1);
}

/** The same by our reading, every program ending with `code`. */
function byUs(line: string, code: number): string[][] {
  const read = readLine(line, 'bash');
  if ('problem' in read) return [];
  return read.steps
    .filter((step) => runs(step.when, code))
    .flatMap((step) =>
      step.pipeline.map(({ words }) =>
        words.map((word) => (word.isHome ? word.text.replace(/^~/u, home) : word.text)),
      ),
    );
}

function runs(when: CommandPlan['steps'][number]['when'], code: number): boolean {
  return when === 'always' || (when === 'success') === (code === 0);
}

/** Programs of a pipeline write in no certain order. */
const sorted = (commands: readonly string[][]): string[] => commands.map((words) => words.join('\0')).sort();

describe.skipIf(!existsSync(bash))('a line that is allowed', () => {
  const allowed = (seed: number): string[] =>
    fc
      .sample(shellLine, { seed, numRuns: 6_000 })
      .filter((line) => decideCommand(line, rules('bash')).verdict === 'allowed');

  it.each([
    [1, 0],
    [2, 1],
  ])('hands each program the words that a real bash would (seed %d, exit code %d)', (seed, code) => {
    const lines = allowed(seed);
    expect(lines.length).toBeGreaterThan(450);
    const real = byBash(lines, code);
    expect(real.length).toBe(lines.length);
    for (const [index, line] of lines.entries()) {
      expect([line, sorted(byUs(line, code))]).toEqual([line, sorted(real[index] ?? [])]);
    }
  });

  it('has these words in its plan', () => {
    for (const line of allowed(3)) {
      const { plan } = decideCommand(line, rules('bash'));
      if (plan === undefined) continue;
      const argvs = plan.steps.flatMap((step) => step.pipeline.map((command) => [...command.argv]));
      const read = readLine(line, 'bash');
      const words =
        'steps' in read ? read.steps.flatMap((step) => step.pipeline.map((each) => each.words)) : [];
      expect(argvs).toEqual(words.map((each) => each.map((word) => word.text)));
    }
  });

  it.each([
    '>/dev/null',
    '2>/dev/null',
    '2>&1',
    '>&2',
    '1>&2 2>&1',
    '2>&1 1>&2',
    '>/dev/null 2>&1',
    '2>&1 >/dev/null',
    '1>&1 2>&2',
  ])('sends its streams where a real bash would: %s', (redirects) => {
    const script = `tool() { printf o; printf e >&2; }; { tool ${redirects} ; } 2>"${join(folder, 'err')}"`;
    const out = execFileSync(bash, ['-c', script], { encoding: 'utf8' });
    const real = { out, err: readFileSync(join(folder, 'err'), 'utf8') };
    const command = decideCommand(`tool ${redirects}`, rules('bash')).plan?.steps[0]?.pipeline[0];
    const places = { out: '', err: '', null: '' };
    places[command?.stdout === 'null' ? 'null' : command?.stdout === 'stderr' ? 'err' : 'out'] += 'o';
    places[command?.stderr === 'null' ? 'null' : command?.stderr === 'stdout' ? 'out' : 'err'] += 'e';
    expect(command).toBeDefined();
    expect({ out: places.out, err: places.err }).toEqual(real);
  });
});
