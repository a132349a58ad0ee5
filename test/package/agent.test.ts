import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentTurn } from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';
import { until } from '../builders/until.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

const say = (message: string, ...more: readonly string[]): readonly string[] => [
  'agent',
  '--message',
  message,
  ...more,
];
const namesOf = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
const readCall = { name: 'read', arguments: { path: 'a.md' } };

describe('pincer agent with the built-in model', () => {
  it('answers from the markdown of the workspace, readable and with file and line', async () => {
    await cli.write({
      'workspace/docs/times.md': '# Times\n\n## Zones\n\nTimes on disk are in UTC. Use `\\d+\\.md`.\n',
    });
    const { code, stdout, stderr } = await cli.run(say('why are times on disk in UTC?'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`[docs/times.md:5](${join(cli.workspace, 'docs/times.md')}:5)`);
    expect(stdout).toContain('> Times on disk are in UTC. Use `\\d+\\.md`.');
  });

  it('shows a file as it is, and on standard error what it did', async () => {
    const text = 'one\\.\n```\n\\*two\\*\n```\n';
    await cli.write({ 'workspace/a.md': text });
    const { stdout, stderr } = await cli.run(say('read a.md'));
    expect(stdout).toContain(text);
    expect(stderr).toBe('› Read a.md\n');
  });

  it('prints one JSON value of the documented shape', async () => {
    await cli.write({ 'workspace/a.md': 'one' });
    const { code, value } = await cli.json(say('read a.md'));
    expect(code).toBe(0);
    expect(agentTurn.parse(value)).toMatchObject({
      model: 'pincer/built-in',
      outcome: { status: 'completed', text: expect.stringContaining('one') as unknown },
      calls: [{ name: 'read', isError: false }],
      diagnostics: [],
    });
  });
});

describe('pincer agent with a plugin that withholds the answer', () => {
  it('ends with code 3, and says in JSON who did it', async () => {
    await cli.write({
      'workspace/.pincer/plugins/censor/openclaw.plugin.json':
        '{"id":"censor","configSchema":{"type":"object"}}',
      'workspace/.pincer/plugins/censor/index.js':
        "module.exports = (api) => { api.on('message_sending', () => ({ cancel: true, cancelReason: 'not for you' })); };",
    });
    await cli.run(['plugins', 'enable', 'censor']);
    const turn = say('Hello', '--model', await cli.replay({ text: 'Aye.' }));
    const { code, value } = await cli.json(turn);
    expect(code).toBe(3);
    expect(agentTurn.parse(value)).toMatchObject({
      outcome: { status: 'blocked', pluginId: 'censor', httpStatus: 403, code: 'PLUGIN_BLOCKED_EXECUTION' },
      stops: [],
    });
  });
});

describe('pincer agent without a guard that has run', () => {
  it('begins no turn, says why on standard error and in JSON, and goes on when that is agreed to', async () => {
    const guard = (reason: string) =>
      `module.exports = (api) => { api.on('before_tool_call', () => ({ block: true, blockReason: '${reason}' })); };`;
    await cli.write({
      'workspace/a.md': 'the text',
      'workspace/.pincer/plugins/warden/openclaw.plugin.json':
        '{"id":"warden","configSchema":{"type":"object"}}',
      'workspace/.pincer/plugins/warden/index.js': guard('not here'),
    });
    const model = await cli.replay({ toolCalls: [readCall] }, { text: 'Done.' });
    const turn = say('What is it?', '--model', model);
    await cli.run(['plugins', 'enable', 'warden']);
    expect((await cli.run(turn)).stderr).toContain('not here');

    await cli.write({ 'workspace/.pincer/plugins/warden/index.js': guard('nor here') });
    const { code, stdout, stderr } = await cli.run(turn);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'Plugin warden can stop what the agent does, and its files or settings have changed since you allowed it.',
    );
    expect((await cli.json(turn)).value).toMatchObject({ error: { code: 'agent_stopped' } });

    await cli.run(['plugins', 'enable', 'warden']);
    expect((await cli.run(turn)).stderr).toContain('nor here');
  });
});

const quitter = (inCall: string) => ({
  'workspace/a.md': 'the text',
  'workspace/.pincer/plugins/quit/openclaw.plugin.json': '{"id":"quit","configSchema":{"type":"object"}}',
  'workspace/.pincer/plugins/quit/index.js': `module.exports = (api) => { api.on('before_tool_call', async () => { ${inCall} }); };`,
});

it.each([
  'process.exit(0)',
  'setTimeout(() => process.exit(), 0)',
  "process.removeAllListeners('exit'); process.exit(0)",
  "process.on('exit', () => process.exit(0)); process.exit(0)",
  "process.on('exit', () => { process.exitCode = 0; }); process.exit(0)",
  'process.reallyExit(0)',
  "(await import('node:process')).reallyExit(0)",
  '(0, eval)(\'import("node:process")\').then((it) => it.reallyExit(0))',
  'process.emit = () => false; process.exit(0)',
])('a plugin that ends the process by %s is no success', async (code) => {
  await cli.write(quitter(`${code}; return await new Promise(() => {});`));
  await cli.run(['plugins', 'enable', 'quit']);
  const model = await cli.replay({ toolCalls: [readCall] }, { text: 'Done.' });
  const ended = await cli.run(say('What is it?', '--model', model));
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr.split('ended the process before the command was done')).toHaveLength(2);
});

it.each([
  "process.on('exit', () => process.exit(0))",
  "process.on('exit', () => { process.exitCode = 0; })",
  "process.on('exit', () => { throw new Error('never'); })",
  'process.reallyExit = () => undefined',
  'process.exit = () => undefined',
])('a plugin that waits for the end by %s changes no exit code', async (code) => {
  await cli.write(quitter(`${code}; return { block: true, blockReason: 'not here' };`));
  await cli.run(['plugins', 'enable', 'quit']);
  const model = await cli.replay({ toolCalls: [readCall] });
  const failed = await cli.run(say('What is it?', '--model', model));
  expect(failed.code).toBe(1);
  expect(failed.stderr).not.toContain('ended the process before');
});

describe('pincer agent with a plugin that never comes back', () => {
  const plugin = (body: string) => ({
    '../home/plugins/loops/openclaw.plugin.json': '{"id":"loops","configSchema":{"type":"object"}}',
    '../home/plugins/loops/index.js': `module.exports = (api) => { ${body} };`,
  });
  const marks = 'calls';
  /** Kills a run that hangs in a call, as a person would, and nothing sooner. */
  const hang = async (args: readonly string[], what: string): Promise<void> => {
    const before = await namesOf(join(cli.state, marks));
    const running = cli.start(args);
    await until(async () => {
      const own = (await namesOf(join(cli.state, marks))).filter((name) => !before.includes(name));
      const texts = await Promise.all(own.map((name) => readFile(join(cli.state, marks, name), 'utf8')));
      expect(texts.join()).toContain(what);
    });
    running.kill();
    await running.done;
  };

  it.each([
    ['a hook that guards', "api.on('before_tool_call', () => { for (;;); });", 'before_tool_call', 'blocked'],
    [
      'a hook after a wait',
      "api.on('before_tool_call', async () => { await null; for (;;); });",
      'before_tool_call',
      'blocked',
    ],
    [
      'a hook that only sees',
      "api.on('message_received', () => { for (;;); });",
      'message_received',
      'goes on',
    ],
  ])('skips it after two times, by its rule, until it is changed: %s', async (_, body, what, end) => {
    await cli.write({ 'workspace/a.md': 'the text', ...plugin(body) });
    const model = await cli.replay({ toolCalls: [readCall] }, { text: 'Done.' });
    const turn = say('What is it?', '--model', model);
    await hang(turn, what);
    await hang(turn, what);
    const { code, stderr, value } = await cli.json(turn);
    expect(code).toBe(0);
    expect(stderr).toContain(`plugin loops did not return from ${what} the last two times`);
    expect(agentTurn.parse(value).calls).toMatchObject([{ name: 'read', isError: end === 'blocked' }]);
    await cli.write(plugin("api.on('before_tool_call', () => undefined);"));
    expect((await cli.run(turn)).stderr).not.toContain('did not return');
  });
});

describe('pincer agent --model replay:<file>', () => {
  it('prints the text of each answer and carries out its tool calls', async () => {
    await cli.write({ 'workspace/a.md': 'the text' });
    const model = await cli.replay(
      { text: ['I look ', 'at it.'], toolCalls: [readCall] },
      { expect: { toolResult: 'the text' }, text: 'It is a\\_text.' },
    );
    expect(await cli.run(say('What is it?', '--model', model))).toEqual({
      code: 0,
      stdout: 'I look at it.\nIt is a\\_text.\n',
      stderr: '› Read a.md\n',
    });
  });

  it('reads the script from where it was started, not from the workspace', async () => {
    await cli.write({ 'workspace/script-1.jsonl': '{"text": "wrong"}' });
    const model = await cli.replay({ text: 'right' });
    expect(await cli.run(say('x', '--model', model))).toMatchObject({ code: 0, stdout: 'right\n' });
  });

  it('fails as the script says, after the text so far, with what to do', async () => {
    const error = { code: 'model_timeout', message: 'Too slow.', hint: 'Wait a while.' };
    const model = await cli.replay({ text: 'so far', error });
    expect(await cli.run(say('x', '--model', model))).toEqual({
      code: 1,
      stdout: 'so far\n',
      stderr: 'error: Too slow.\nWait a while.\n',
    });
    const { code, value } = await cli.json(say('x', '--model', model));
    expect(code).toBe(1);
    expect(agentTurn.parse(value).outcome).toEqual({ status: 'failed', ...error });
  });

  it('fails when the run asks for more than the script has', async () => {
    await cli.write({ 'workspace/a.md': 'x' });
    const model = await cli.replay({ toolCalls: [readCall] });
    const { code, stderr } = await cli.run(say('x', '--model', model));
    expect(code).toBe(1);
    expect(stderr).toContain('script-1.jsonl has 1 turn, and all have been played');
    expect(stderr.match(/all have been played/gu)).toHaveLength(1);
  });

  it('fails when a request is not what the script expects', async () => {
    const model = await cli.replay({ expect: { userText: 'hello' }, text: 'x' });
    const { code, stderr } = await cli.run(say('good bye', '--model', model));
    expect(code).toBe(1);
    expect(stderr).toContain(
      'script-1.jsonl:1: The last user message should have the text "hello"; it is "good bye".',
    );
  });

  it('names file and line of a line that can not be played', async () => {
    await cli.write({ 'bad.jsonl': '{"text": "a"}\n{"txet": "b"}\n' });
    const { code, stdout, stderr } = await cli.run(say('x', '--model', 'replay:bad.jsonl'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${join(cli.folder, 'bad.jsonl')}:2: `);
    expect(stderr).toContain('txet');
  });

  it('says so when there is no such script', async () => {
    const { code, stderr } = await cli.run(say('x', '--model', 'replay:none.jsonl'));
    expect(code).toBe(2);
    expect(stderr).toContain(`There is no replay script ${join(cli.folder, 'none.jsonl')}.`);
  });

  it('waits for a slow answer although nothing else keeps the process alive', async () => {
    const model = await cli.replay({ text: ['a', 'b'], delayMs: 300 });
    expect(await cli.run(say('x', '--model', model))).toMatchObject({ code: 0, stdout: 'ab\n' });
  });
});

describe('the output of pincer', () => {
  it('arrives in full, however long', async () => {
    const text = 'x'.repeat(3_000_000);
    const { code, stdout } = await cli.run(say('x', '--model', await cli.replay({ text })));
    expect({ code, length: stdout.length }).toEqual({ code: 0, length: text.length + 1 });
  });

  it('may be cut off by its reader', async () => {
    const model = await cli.replay({ text: Array.from({ length: 100 }, () => 'x'.repeat(10_000)) });
    const running = cli.start(say('x', '--model', model));
    running.stopReading();
    expect(await running.done).toMatchObject({ code: 1, stderr: '' });
  });
});

describe('pincer agent --record', () => {
  it('writes a script that plays the same again', async () => {
    await cli.write({ 'workspace/a.md': 'x' });
    const model = await cli.replay({ text: ['I ', 'look.'], toolCalls: [readCall] }, { text: 'Done.' });
    const first = await cli.run(say('x', '--model', model, '--record', 'recorded.jsonl'));
    expect(await cli.run(say('x', '--model', 'replay:recorded.jsonl'))).toEqual(first);
    expect(first).toMatchObject({ code: 0, stdout: 'I look.\nDone.\n' });
  });

  it('writes over no file', async () => {
    await cli.write({ 'workspace/a.md': 'keep me' });
    const { code, stderr } = await cli.run(say('x', '--record', 'workspace/a.md'));
    expect(code).toBe(2);
    expect(stderr).toContain('already exists');
    expect(await readFile(join(cli.workspace, 'a.md'), 'utf8')).toBe('keep me');
  });
});
