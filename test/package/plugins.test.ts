import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  agentCommand,
  agentTurn,
  failure,
  pluginsList,
  pluginSwitched,
  toolsExplain,
  toolsList,
} from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';
import { pluginFiles } from './pluginFiles.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

const words = `
  api.registerTool({ name: 'word_count', description: 'Counts words.', parameters: { type: 'object', properties: {} },
    execute: async () => ({ content: [{ type: 'text', text: '3' }] }) });
  api.registerCommand({ name: 'words', description: 'Counts words.', acceptsArgs: true,
    handler: ({ args = '' }) => ({ text: args.split(/\\s+/).length + ' words' }) });
  api.on('after_tool_call', () => {});
`;

async function stateOf(id: string): Promise<string> {
  const { plugins } = pluginsList.parse((await cli.json(['plugins', 'list'])).value);
  const plugin = plugins.find((each) => each.id === id);
  return `${plugin?.status ?? 'missing'}: ${plugin?.reason ?? ''}`;
}

async function enable(id: string): Promise<void> {
  const { code, stderr } = await cli.run(['plugins', 'enable', id]);
  expect(code, stderr).toBe(0);
}

describe('pincer plugins', () => {
  it('runs a plugin of the workspace after it was enabled, and asks again when its files change', async () => {
    await cli.write(pluginFiles('words', words));
    expect(await stateOf('words')).toBe('disabled: workspace plugin (disabled by default)');

    const enabled = await cli.json(['plugins', 'enable', 'words']);
    expect(enabled.code).toBe(0);
    expect(pluginSwitched.parse(enabled.value).plugin).toMatchObject({
      status: 'loaded',
      toolNames: ['word_count'],
      commands: ['words'],
    });
    expect(await stateOf('words')).toBe('loaded: enabled in config');

    await cli.write(pluginFiles('words', `${words}\n// changed`));
    expect(await stateOf('words')).toContain('its files or settings have changed since you enabled it');
    const { stdout } = await cli.run(['plugins', 'list']);
    expect(stdout).toContain('changed since you enabled it: index.ts');

    await enable('words');
    expect(await stateOf('words')).toBe('loaded: enabled in config');
    expect(await cli.run(['plugins', 'disable', 'words'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^words: disabled/u) as unknown,
    });
    expect(await stateOf('words')).toMatch(/^disabled/u);
  });

  it('says before what a plugin asks for, and loads nothing of it', async () => {
    await cli.write(pluginFiles('words', `throw new Error('I ran');\n${words}`));
    const { code, stdout, stderr } = await cli.run(['plugins', 'list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('words comes with this workspace.');
    expect(stdout).toContain(
      '  tools: word_count\n  hooks: after_tool_call\n  slash commands: /words\n  also registers: command\n  uses: none found\n',
    );
  });

  it('keeps consent and settings in PINCER_HOME, outside of the workspace', async () => {
    await cli.write(pluginFiles('words', words));
    const before = await readdir(join(cli.workspace, '.pincer'), { recursive: true });
    await enable('words');
    expect(await readdir(join(cli.workspace, '.pincer'), { recursive: true })).toEqual(before);
    expect((await readdir(cli.home)).sort()).toEqual(['config.jsonc', 'consents.json']);
  });

  it('fails where the plugin does not load, and says why', async () => {
    await cli.write(pluginFiles('broken', "throw new Error('no luck');"));
    const { code, stdout, stderr } = await cli.run(['plugins', 'enable', 'broken']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^broken: error/u);
    expect(stderr.match(/no luck/gu)).toHaveLength(1);
  });

  it('does not know a plugin that is not there, and writes nothing for it', async () => {
    const { code, value, stderr } = await cli.json(['plugins', 'enable', 'workspace-gard']);
    expect(code).toBe(2);
    expect(failure.parse(value).error.code).toBe('plugin_unknown');
    expect(stderr).toBe(
      'error: There is no plugin workspace-gard.\nThere are: workspace-guard, memory-core, telegram, webhook, audit-log, session-notes, secret-redactor.\n',
    );
    expect(await readdir(cli.home)).toEqual([]);
  });
});

describe('pincer tools list', () => {
  it('lists tools with their owners, and the hidden ones with the reason', async () => {
    await cli.write({
      ...pluginFiles('words', words),
      'workspace/.pincer/config.jsonc': '{ "tools": { "deny": ["write"] } }',
    });
    await enable('words');
    const { code, value } = await cli.json(['tools', 'list']);
    expect(code).toBe(0);
    const { tools, hidden } = toolsList.parse(value);
    expect(tools.map(({ name, owner }) => `${owner}/${name}`)).toEqual(
      expect.arrayContaining(['core/read', 'words/word_count']),
    );
    expect(tools.map(({ name }) => name)).not.toContain('write');
    expect(hidden.find(({ name }) => name === 'write')).toMatchObject({
      code: 'tool_denied',
      owner: 'core',
      layer: expect.stringContaining('workspace config') as unknown,
    });
    const { stdout } = await cli.run(['tools', 'list']);
    expect(stdout).toMatch(/\nHidden:\n(?:.*\n)*write +core +denied by "write" in .*workspace config/u);
  });
});

describe('pincer tools explain', () => {
  beforeEach(() => cli.write({ 'workspace/.pincer/config.jsonc': '{ "tools": { "deny": ["group:fs"] } }' }));

  it('says what each layer says, and which one hides the tool', async () => {
    const { code, value } = await cli.json(['tools', 'explain', 'Read']);
    expect(code).toBe(0);
    const [read] = toolsExplain.parse(value).tools;
    expect(read).toMatchObject({ name: 'read', owner: 'core', offered: false, code: 'tool_denied' });
    expect(read?.layers.at(-1)).toMatchObject({ verdict: 'denies', entry: 'group:fs' });
    const { stdout } = await cli.run(['tools', 'explain', 'read']);
    expect(stdout).toMatch(/^read .*Pincer\nHidden: denied by "group:fs" in .*workspace config/u);
    expect(stdout).toContain('denies it by "group:fs"');
  });

  it('knows no tool of another name, and says which is near', async () => {
    const { code, value } = await cli.json(['tools', 'explain', 'raed']);
    expect(code).toBe(2);
    expect(failure.parse(value).error).toMatchObject({ code: 'tool_unknown' });
    expect(failure.parse(value).error.hint).toContain('read');
  });
});

describe('pincer agent with plugins', () => {
  it('runs the command of a plugin, as the chat does, and asks no model', async () => {
    await cli.write(pluginFiles('words', words));
    await enable('words');
    const model = ['--model', await cli.replay({ error: { code: 'model_unavailable', message: 'asked' } })];
    expect(await cli.run(['agent', '-m', '/words a b c', ...model])).toEqual({
      code: 0,
      stdout: '3 words\n',
      stderr: '',
    });
    const { value } = await cli.json(['agent', '-m', '/words a b c', ...model]);
    expect(agentCommand.parse(value)).toMatchObject({
      command: { name: 'words', pluginId: 'words' },
      outcome: { status: 'completed', text: '3 words' },
    });
  });

  it('goes on with a turn of the agent where the command of a plugin wants that', async () => {
    const fix = `api.registerCommand({ name: 'fix', description: 'Asks for a fix.', acceptsArgs: true,
      handler: ({ args }) => ({ text: args === 'typos' ? 'Looking.' : undefined, continueAgent: true }) });`;
    await cli.write(pluginFiles('fixer', fix));
    await enable('fixer');
    const model = ['--model', await cli.replay({ expect: { userText: '/fix typos' }, text: 'Fixed.' })];
    expect(await cli.run(['agent', '-m', '/fix typos', ...model])).toMatchObject({
      code: 0,
      stdout: 'Looking.\nFixed.\n',
    });
    const { value } = await cli.json(['agent', '-m', '/fix typos', ...model]);
    expect(agentTurn.parse(value)).toMatchObject({
      command: { name: 'fix', pluginId: 'fixer', text: 'Looking.' },
      outcome: { status: 'completed', text: 'Fixed.' },
    });
    const other = ['--model', await cli.replay({ expect: { userText: '/fix links' }, text: 'Fixed.' })];
    expect((await cli.run(['agent', '-m', '/fix links', ...other])).stdout).toBe('Fixed.\n');
  });

  it('runs a command in a session that is there, and in none otherwise', async () => {
    await cli.write(pluginFiles('words', words));
    await enable('words');
    const { sessionId } = agentTurn.parse((await cli.json(['agent', '-m', 'hello'])).value);
    const command = ['agent', '-m', '/words a'];
    const inSession = await cli.json([...command, '--session', sessionId]);
    expect(agentCommand.parse(inSession.value).sessionId).toBe(sessionId);
    expect(agentCommand.parse((await cli.json(command)).value).sessionId).toBeUndefined();
  });

  it('fails with a command that fails, and names the cause', async () => {
    const code =
      "api.registerCommand({ name: 'bad', description: '', handler: () => { throw new Error('no luck'); } });";
    await cli.write(pluginFiles('bad', code));
    await enable('bad');
    const run = await cli.run(['agent', '-m', '/bad']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('command /bad of plugin bad failed: no luck');
    const { code: jsonCode, value } = await cli.json(['agent', '-m', '/bad']);
    expect(jsonCode).toBe(1);
    expect(agentCommand.parse(value).outcome).toMatchObject({
      status: 'failed',
      code: 'plugin_command_failed',
    });
  });

  it('ends with 3 where a plugin blocks the message, which stays in no file', async () => {
    const gate =
      "api.on('before_agent_run', () => ({ outcome: 'block', reason: 'inner', message: 'Not here.' }));";
    await cli.write(pluginFiles('gate', gate));
    await enable('gate');
    const file = join(cli.home, 'config.jsonc');
    const entry = { enabled: true, hooks: { allowConversationAccess: true } };
    await cli.write({ '../home/config.jsonc': JSON.stringify({ plugins: { entries: { gate: entry } } }) });
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('plugins.entries.gate.hooks');

    const answer = 'Your message could not be sent: Not here. (blocked by gate)';
    const run = await cli.run(['agent', '-m', 'my secret']);
    expect(run, run.stderr).toMatchObject({ code: 3, stdout: `${answer}\n`, stderr: '' });
    const { code, value, stdout } = await cli.json(['agent', '-m', 'my secret']);
    expect(code).toBe(3);
    const { outcome, sessionId } = agentTurn.parse(value);
    expect(outcome).toEqual({
      status: 'blocked',
      pluginId: 'gate',
      httpStatus: 403,
      code: 'PLUGIN_BLOCKED_EXECUTION',
      text: answer,
    });
    const stored = await readFile(join(cli.state, 'sessions', `${sessionId}.jsonl`), 'utf8');
    expect(stored + stdout + run.stderr).not.toMatch(/my secret|inner/u);
  });

  it('says which plugin blocked a tool call and why', async () => {
    const guard = "api.on('before_tool_call', () => ({ block: true, blockReason: 'Fridays only.' }));";
    await cli.write(pluginFiles('guard', guard, 'mjs'));
    await enable('guard');
    const { stderr } = await cli.run(['agent', '-m', 'list']);
    expect(stderr).toContain('Fridays only.');
    const { calls } = agentTurn.parse((await cli.json(['agent', '-m', 'list'])).value);
    expect(calls).toMatchObject([
      { name: 'ls', isError: true, details: { status: 'blocked', pluginId: 'guard' } },
    ]);
  });

  it('ends when the turn does, whatever a plugin has left running', async () => {
    await cli.write(pluginFiles('busy', 'setInterval(() => {}, 1000);'));
    await enable('busy');
    expect(await cli.run(['agent', '-m', 'hello'])).toMatchObject({ code: 0 });
  });

  it('finishes the turn although something fails in the background of a plugin', async () => {
    const code = `
      setTimeout(() => { throw new Error('thrown later'); }, 1);
      void Promise.reject(new Error('rejected later'));`;
    await cli.write(pluginFiles('late', code));
    await enable('late');
    const model = await cli.replay({ text: ['a', 'b'], delayMs: 100 });
    const { code: exit, stdout, stderr } = await cli.run(['agent', '-m', 'x', '--model', model]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'ab\n' });
    expect(stderr).toContain('error: Something failed in the background: thrown later\n');
    expect(stderr).toContain('error: Something failed in the background: rejected later\n');
  });
});
