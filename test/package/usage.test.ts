import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { agentTurn, failure, pluginsList, toolsList } from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';
import { pluginFiles } from './pluginFiles.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

describe('pincer: the command line', () => {
  it.each([[['--help']], [['agent', '--help']], [['plugins', '--help']], [['help', 'agent']]])(
    'explains itself: %j',
    async (args) => {
      const { code, stdout, stderr } = await cli.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: pincer/u);
      for (const name of ['PINCER_HOME', 'PINCER_BASE_URL', 'PINCER_MODEL', 'PINCER_API_KEY', 'Exit codes'])
        expect(stdout).toContain(name);
    },
  );

  it.each(['--version', '-V'])('says which version it is: %s', async (option) => {
    const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await cli.run([option])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each([
    ['an unknown option', ['agent', '-m', 'x', '--modle', 'y'], "unknown option '--modle'"],
    ['an unknown command', ['agnet'], "unknown command 'agnet'"],
    ['a missing message', ['agent'], "required option '-m, --message <text>' not specified"],
    ['an empty message', ['agent', '-m', '  '], 'The message is empty.'],
    ['an unknown model', ['agent', '-m', 'x', '--model', 'olama/x'], 'There is no model “olama/x”.'],
    ['a missing plugin id', ['plugins', 'enable'], "missing required argument 'id'"],
  ])('refuses %s with 2', async (_case, args, message) => {
    const { code, value, stderr } = await cli.json(args);
    expect(code).toBe(2);
    expect(failure.parse(value).error.message).toContain(message);
    expect(stderr).toContain(`error: ${message}`);
    expect(await cli.run(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it('asks for a command where there is none', async () => {
    expect(await cli.run([])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Usage: pincer/u) as unknown,
    });
    expect(failure.parse((await cli.json([])).value).error.message).toBe('A command is missing.');
  });

  it.each([
    ['agent', ['agent', '-m', 'x']],
    ['plugins list', ['plugins', 'list']],
    ['plugins enable', ['plugins', 'enable', 'x']],
    ['tools list', ['tools', 'list']],
  ])('%s: names a workspace that is not there', async (_case, args) => {
    const workspace = join(cli.folder, 'missing');
    const { code, value } = await cli.json(args, { workspace });
    expect(code).toBe(2);
    expect(failure.parse(value).error).toEqual({
      code: 'workspace_missing',
      message: `There is no folder ${workspace}.`,
      hint: 'Name one with --workspace.',
    });
  });

  it('writes the log to standard error with --verbose only', async () => {
    await cli.write(pluginFiles('chatty', "api.logger.info('I am here');"));
    expect((await cli.run(['plugins', 'enable', 'chatty'])).stderr).not.toContain('I am here');
    expect((await cli.run(['tools', 'list'])).stderr).toBe('');
    expect((await cli.run(['tools', 'list', '--verbose'])).stderr).toContain('I am here');
  });
});

describe('pincer: config', () => {
  it.each([
    [['agent', '-m', 'hello'], 'begins no turn', 1],
    [['plugins', 'list'], 'goes on', 0],
    [['tools', 'list'], 'goes on', 0],
  ] as const)('says file and line of what is wrong: %j %s', async (args, _, expected) => {
    await cli.write({
      '../home/config.jsonc': '{\n  "agent": {\n    "maxRounds": "many"\n  }\n}\n',
      'workspace/.pincer/config.jsonc': '{\n  "tools": {\n',
    });
    const { code, stderr } = await cli.run(args);
    expect(code).toBe(expected);
    expect(stderr.includes('error: The agent does not run: The config is not valid JSON')).toBe(
      expected === 1,
    );
    expect(stderr).toContain(`(${join(cli.home, 'config.jsonc')}:3)`);
    expect(stderr).toMatch(/error: agent\.maxRounds: /u);
    expect(stderr).toMatch(/error: The config is not valid JSON/u);
    expect(stderr).toContain(`(${join(cli.workspace, '.pincer/config.jsonc')}:`);
    expect(stderr.match(/agent\.maxRounds/gu)).toHaveLength(1);
  });

  it('puts the same into JSON', async () => {
    await cli.write({ '../home/config.jsonc': '{\n  "modle": "x"\n}\n' });
    const problem = { code: 'config_invalid', source: join(cli.home, 'config.jsonc'), line: 2 };
    const shapes = [
      [['agent', '-m', 'hello'], agentTurn],
      [['plugins', 'list'], pluginsList],
      [['tools', 'list'], toolsList],
    ] as const;
    for (const [args, shape] of shapes) {
      const { code, value } = await cli.json(args);
      expect(code).toBe(0);
      expect(shape.parse(value).diagnostics).toMatchObject([problem]);
    }
  });

  it('prints the JSON schema of the config', async () => {
    const { code, stdout } = await cli.run(['config', 'schema']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('properties.models');
  });
});

describe('PINCER_HOME', () => {
  it('stands for the home folder, which is not read at all', async () => {
    for (const args of [
      ['plugins', 'list'],
      ['tools', 'list'],
      ['agent', '-m', 'hello'],
    ]) {
      const { code, stdout, stderr } = await cli.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toContain('trap');
    }
  });

  it('without it the home folder counts, so that the test above means something', async () => {
    const { stdout, stderr } = await cli.run(['plugins', 'list'], { env: { PINCER_HOME: undefined } });
    expect(stderr).toContain(join(cli.realHome, '.pincer', 'config.jsonc'));
    expect(stdout).toContain('trap');
    // That home's config is broken, so nothing of it may run until it is mended.
    expect(stdout).toContain('your config can not be read');
    expect(existsSync(cli.marker)).toBe(false);
  });
});
