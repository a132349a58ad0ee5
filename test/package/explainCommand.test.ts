import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

const explain = (...args: string[]) => cli.run(['tools', 'explain', 'exec', ...args]);
const configure = (config: object) => cli.write({ '../home/config.jsonc': JSON.stringify(config) });

it('tools explain exec says what would happen to a command under the config of the user, and runs nothing', async () => {
  execFileSync('git', ['init', '--quiet'], { cwd: cli.workspace });
  await cli.write({ 'workspace/.env': 'KEY=1\n' });
  await configure({ tools: { exec: { allow: ['touch ran'], deny: ['git push'] } } });
  expect((await explain('--command', 'git status')).stdout).toMatch(
    /^runs unasked +git status +The allow list covers it\./u,
  );
  expect((await explain('--command', 'touch ran')).stdout).toMatch(/^runs unasked/u);
  expect((await explain('--command', 'touch other')).stdout).toMatch(
    /^asks +touch other +The allow list does not cover/u,
  );
  expect((await explain('--command', 'cat .env')).stdout).toMatch(/^asks .*\.env: it may hold secrets/u);
  expect((await explain('--command', 'git push')).stdout).toMatch(
    /^never runs .*The deny list has 'git push'/u,
  );
  expect(existsSync(join(cli.workspace, 'ran'))).toBe(false);
});

it.each([
  ['deny', 'deny', 'Mode deny denies what asks.'],
  ['allowlist', 'deny', 'Mode allowlist asks nobody.'],
  ['full', 'allow', 'Mode full does not ask.'],
])('in mode %s a command that would ask is %s', async (mode, verdict, reason) => {
  await configure({ approvals: { mode } });
  const { value } = await cli.json(['tools', 'explain', 'exec', '--command', 'touch x']);
  expect(value).toMatchObject({
    command: 'touch x',
    verdict,
    reason: expect.stringContaining(reason) as string,
  });
});

it('takes a file of commands, and answers each line with one of JSON', async () => {
  await cli.write({ 'lines.txt': 'ls\n\nrm -rf x\nshutdown now\n' });
  const { code, stdout } = await explain('--commands', 'lines.txt');
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { command: string; verdict: string });
  expect({ code, found: found.map(({ command, verdict }) => [command, verdict]) }).toEqual({
    code: 0,
    found: [
      ['ls', 'allow'],
      ['rm -rf x', 'ask'],
      ['shutdown now', 'deny'],
    ],
  });
});

it('names what it can not do', async () => {
  expect(await explain('--commands', 'none.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("none.txt can't be read") as string,
  });
  const other = await cli.run(['tools', 'explain', 'read', '--command', 'ls']);
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('read runs no commands') as string,
  });
});
