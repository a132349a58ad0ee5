import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../host/node/nodeProcesses.ts';
import type { ProcessExit } from '../host/processes.ts';
import type { CommandPlan, Pipeline, SimpleCommand } from '../shell/commandPlan.ts';
import { runPlan, type PlanRun } from './runPlan.ts';
import { startProgram } from './createLocalExec.ts';

const deps = {
  processes: createNodeProcesses(),
  fs: createNodeFileSystem(),
  platform: process.platform,
  systemRoot: 'C:\\Windows',
};
const env = { PATH: process.env['PATH'] ?? '' };
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-plan-')));
});
afterAll(() => rm(folder, { recursive: true }));

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ProcessExit;
}

function run(plan: CommandPlan, hasInput = false): PlanRun {
  const start = ({ argv: [name, ...args] }: SimpleCommand, takesInput: boolean) =>
    startProgram(deps, { cwd: folder, env, hasInput: takesInput }, [name], args);
  return runPlan(plan, start, hasInput);
}

async function finish(running: PlanRun): Promise<Outcome> {
  const seen = { stdout: '', stderr: '' };
  running.onOutput((stream, bytes) => {
    seen[stream] += Buffer.from(bytes).toString();
  });
  const exit = await running.exit;
  return { ...seen, exit };
}

function outcome(...steps: CommandPlan['steps']): Promise<Outcome> {
  return finish(run({ steps }));
}

function line(...argvs: readonly SimpleCommand['argv'][]): CommandPlan['steps'][number] {
  return { when: 'always', pipeline: argvs.map((argv) => ({ argv })) as unknown as Pipeline };
}

const ended = (code: number): ProcessExit => ({ code, signal: undefined });

/** The same plan as a line of bash. */
function toBash({ steps }: CommandPlan): string {
  const joints = { always: '; ', success: ' && ', failure: ' || ' };
  const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  const redirects = ({ stdout, stderr }: SimpleCommand): string => {
    if (stdout === 'stderr' && stderr === 'stdout') return ' 3>&1 1>&2 2>&3';
    const err = stderr === undefined ? '' : stderr === 'null' ? ' 2>/dev/null' : ' 2>&1';
    const out = stdout === undefined ? '' : stdout === 'null' ? ' >/dev/null' : ' >&2';
    return stdout === 'stderr' ? out + err : err + out;
  };
  return steps
    .map(({ when, pipeline }, at) => {
      const text = pipeline.map((each) => each.argv.map(quote).join(' ') + redirects(each)).join(' | ');
      return (at === 0 ? '' : joints[when]) + text;
    })
    .join('');
}

function bash(script: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const seen = { stdout: '', stderr: '' };
    child.stdout.on('data', (bytes) => (seen.stdout += String(bytes)));
    child.stderr.on('data', (bytes) => (seen.stderr += String(bytes)));
    child.on('close', (code) => resolve({ ...seen, exit: ended(code ?? -1) }));
  });
}

const sorted = (text: string): string[] => text.split('\n').sort();

describe.skipIf(process.platform === 'win32')('a plan', () => {
  const word = fc.constantFrom('a', 'b c', '$HOME', '*', ';', '&&', "it's", '', '-n', '\\');
  const simple: fc.Arbitrary<SimpleCommand> = fc.record(
    {
      argv: fc.oneof(
        fc.constantFrom<SimpleCommand['argv']>(
          ['true'],
          ['false'],
          ['cat'],
          ['sh', '-c', 'echo out; echo err >&2'],
        ),
        fc.array(word, { maxLength: 3 }).map((words): SimpleCommand['argv'] => ['echo', ...words]),
      ),
      stderr: fc.constantFrom('stdout', 'null'),
      stdout: fc.constantFrom('stderr', 'null'),
    },
    { requiredKeys: ['argv'] },
  );
  // Only the last of a pipeline may read nothing: whether a writer meets a broken pipe before it is done is chance.
  const pipeline = fc
    .tuple(
      fc.array(
        simple.filter(({ argv }) => argv[0] === 'cat'),
        { maxLength: 2 },
      ),
      simple,
      simple,
    )
    .map(([cats, first, last]): Pipeline => (first.argv[0] === 'cat' ? [last] : [first, ...cats]));
  const plans = fc.array(
    fc.record({ when: fc.constantFrom('always' as const, 'success' as const, 'failure' as const), pipeline }),
    { minLength: 1, maxLength: 4 },
  );

  test('does what bash does with the same line', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (steps) => {
        const plan: CommandPlan = {
          steps: steps.map((step, at) => (at === 0 ? { ...step, when: 'always' } : step)),
        };
        const [ours, theirs] = await Promise.all([finish(run(plan)), bash(toBash(plan))]);
        expect({ ...ours, stdout: sorted(ours.stdout), stderr: sorted(ours.stderr) }).toEqual({
          ...theirs,
          stdout: sorted(theirs.stdout),
          stderr: sorted(theirs.stderr),
        });
      }),
      { numRuns: 60 },
    );
  });

  test('gives arguments as they are: nothing is expanded', async () => {
    const { stdout } = await outcome(
      line(['printf', '%s|', '$HOME', '*', '$(id)', '`id`', '~', 'a;b', '{1,2}']),
    );
    expect(stdout).toBe('$HOME|*|$(id)|`id`|~|a;b|{1,2}|');
  });

  test('ends as the last program of the last pipeline that ran', async () => {
    expect((await outcome(line(['false'], ['true']))).exit).toEqual(ended(0));
    expect((await outcome(line(['true'], ['sh', '-c', 'exit 7']))).exit).toEqual(ended(7));
    const skipped = { ...line(['true']), when: 'success' as const };
    expect((await outcome(line(['sh', '-c', 'exit 5']), skipped)).exit).toEqual(ended(5));
  });

  test('one step has ended before the next begins', async () => {
    const { stdout } = await outcome(line(['sh', '-c', 'echo 1; sleep 0.05; echo 2']), line(['echo', '3']));
    expect(stdout).toBe('1\n2\n3\n');
  });

  test('a program that is not there says so and fails with 127; the rest goes on as under a shell', async () => {
    const missing = await outcome(line(['no-such-program', 'x']), {
      ...line(['echo', 'else']),
      when: 'failure',
    });
    expect(missing).toEqual({
      stdout: 'else\n',
      stderr: 'no-such-program: There is no program no-such-program on the PATH.\n',
      exit: ended(0),
    });
    expect((await outcome(line(['yes'], ['no-such-program']))).exit).toEqual(ended(127));
    expect(await outcome(line(['no-such-program'], ['cat']))).toMatchObject({ stdout: '', exit: ended(0) });
  });

  test('a program that reads no further ends the one that writes for ever, quietly', async () => {
    expect(await outcome(line(['yes'], ['head', '-n', '2']))).toEqual({
      stdout: 'y\ny\n',
      stderr: '',
      exit: ended(0),
    });
  });

  test('much output passes a pipeline whole', async () => {
    const { stdout } = await outcome(line(['head', '-c', '3000000', '/dev/zero'], ['cat'], ['wc', '-c']));
    expect(stdout.trim()).toBe('3000000');
  });

  test('a slow reader holds the writers back', async () => {
    const running = run({ steps: [line(['yes'], ['cat'])] });
    let seen = 0;
    await new Promise<void>((resolve) => {
      running.onOutput((_stream, bytes) => {
        seen += bytes.length;
        resolve();
        return new Promise(() => undefined);
      });
    });
    const first = seen;
    // What could flood us meanwhile: another run moves megabytes.
    await outcome(line(['head', '-c', '5000000', '/dev/zero'], ['wc', '-c']));
    expect(seen).toBe(first);
    running.kill('SIGKILL');
    await running.exit;
  });

  test('input goes to the first program of the step that runs', async () => {
    const running = run({ steps: [line(['head', '-n', '1'], ['cat']), line(['cat'])] }, true);
    let text = '';
    const heard = new Map<string, () => void>();
    running.onOutput((_stream, bytes) => {
      text += Buffer.from(bytes).toString();
      heard.get(text)?.();
    });
    const until = (wanted: string) => new Promise<void>((resolve) => heard.set(wanted, resolve));
    const one = until('one\n');
    await running.write(Buffer.from('one\n'));
    await one;
    const two = until('one\ntwo\n');
    // The second step takes a moment to start.
    await expect
      .poll(() =>
        running.write(Buffer.from('two\n')).then(
          () => 'taken',
          () => 'closed',
        ),
      )
      .toBe('taken');
    await two;
    running.endInput();
    expect(await running.exit).toEqual(ended(0));
    expect(text).toBe('one\ntwo\n');
    await expect(running.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'process_input_closed' });
  });

  test('killing ends every program of the pipeline and starts no further step', async () => {
    const running = run({
      steps: [line(['sh', '-c', 'echo up; sleep 600'], ['cat']), line(['echo', 'never'])],
    });
    let text = '';
    await new Promise<void>((resolve) => {
      running.onOutput((_stream, bytes) => {
        text += Buffer.from(bytes).toString();
        resolve();
      });
    });
    running.kill('SIGTERM');
    expect((await running.exit).signal).toBe('SIGTERM');
    expect(text).toBe('up\n');
  });

  test('killing right after the start leaves nothing behind', async () => {
    const running = run({ steps: [line(['sleep', '600'], ['sleep', '600']), line(['echo', 'never'])] });
    running.onOutput(() => undefined);
    running.kill('SIGTERM');
    expect((await running.exit).signal).toBe('SIGTERM');
  });

  test('after an interrupt that ended a step the next ones do not run', async () => {
    const running = run({ steps: [line(['yes']), line(['echo', 'never'])] });
    let text = '';
    await new Promise<void>((resolve) => {
      running.onOutput((_stream, bytes) => {
        text += Buffer.from(bytes).toString();
        resolve();
      });
    });
    running.kill('SIGINT');
    expect((await running.exit).signal).toBe('SIGINT');
    expect(text).not.toContain('never');
  });
});
