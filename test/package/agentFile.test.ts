import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentTurn } from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

const agentFile = `
plugins:
  - type: sign
    module: "\${{dexto.agent_dir}}/plugins/sign.ts"
`;
const writes = (code: string): Promise<unknown> =>
  cli.write({ 'agents/agent.yml': agentFile, 'agents/plugins/sign.ts': code });
const ask = async (): Promise<readonly string[]> => {
  const model = await cli.replay({ text: 'Aye.' });
  return ['agent', '--agent-file', 'agents/agent.yml', '--model', model, '-m', 'Hello'];
};

it('runs an agent file that the command line names, without a question', async () => {
  await writes(
    "export default class { beforeResponse({ content }) { return { ok: true, modify: { content: content + ' Sir.' } }; } }",
  );
  expect(await cli.run(await ask())).toEqual({ code: 0, stdout: 'Aye. Sir.\n', stderr: '' });
});

it('says in JSON at which file and line a plugin fails', async () => {
  await writes("\nthrow new Error('no tide table');");
  expect((await cli.json(await ask())).value).toMatchObject({
    error: {
      code: 'agent_stopped',
      message: expect.stringContaining('no tide table') as unknown,
      source: expect.stringMatching(/agents\/plugins\/sign\.ts$/u) as unknown,
      line: 2,
    },
  });
});

it('a block at any point has its status in JSON, and one in the place of the answer ends with code 3', async () => {
  await writes(`export default class {
  judge(words) {
    if (words.includes('BOOM')) throw new Error('no tide table');
    return { ok: true, ...(words.includes('QUOTA') ? { cancel: true, message: 'Not today.', notices: [{ kind: 'block', code: 'QUOTA_EXCEEDED', message: 'No.' }] } : {}) };
  }
  beforeToolCall({ args }) { return this.judge(JSON.stringify(args)); }
  beforeResponse({ content }) { return this.judge(content); }
}`);
  const say = async (...turns: readonly object[]): Promise<{ code: number | null; value: unknown }> => {
    const model = await cli.replay(...turns);
    const args = ['agent', '--agent-file', 'agents/agent.yml', '--model', model, '-m', 'Hello'];
    const { code, value } = await cli.json(args);
    return { code, value: agentTurn.parse(value) };
  };
  const stop = { plugin: 'sign', point: 'beforeResponse', code: 'PLUGIN_BLOCKED_EXECUTION', httpStatus: 429 };
  expect(await say({ text: 'QUOTA' })).toMatchObject({
    code: 3,
    value: {
      outcome: { status: 'blocked', text: 'Not today.', httpStatus: 429, code: 'PLUGIN_BLOCKED_EXECUTION' },
      stops: [stop],
    },
  });
  expect(await say({ text: 'BOOM' })).toMatchObject({
    code: 3,
    value: { outcome: { status: 'blocked', httpStatus: 500, code: 'PLUGIN_EXECUTION_FAILED' } },
  });
  const call = { toolCalls: [{ name: 'read', arguments: { path: 'QUOTA' } }] };
  expect(await say(call, { text: 'I could not.' })).toMatchObject({
    code: 0,
    value: {
      outcome: { status: 'completed', text: 'I could not.' },
      stops: [{ ...stop, point: 'beforeToolCall', toolName: 'read' }],
    },
  });
});

it('says what of a plugin has no effect while it runs, on standard error and in the trace', async () => {
  await writes(
    "export default class { beforeLLMRequest() { return { ok: true, modify: { txet: 'Ahoy' } }; } }",
  );
  expect((await cli.run(await ask())).stderr).toMatch(
    /^warn: dexto:sign: plugin 'sign' at beforeLLMRequest: modify\.txet is no field of beforeLLMRequest, so it is ignored/mu,
  );
  expect((await cli.run(['hooks', 'trace'])).stdout).toContain(
    'sign · beforeLLMRequest: refused modify.txet',
  );

  const plugin = (code: string): string => `module.exports = (api) => { ${code} };`;
  await cli.write({
    'workspace/a.md': 'one',
    'workspace/.pincer/plugins/late/openclaw.plugin.json': '{"id":"late","configSchema":{"type":"object"}}',
    'workspace/.pincer/plugins/late/index.js': plugin(
      "api.on('tool_result_persist', async () => ({})); api.on('llm_input', () => ({ prompt: 'Ahoy' }));" +
        "api.on('before_tool_cal', () => ({ block: true })); api.on('agent_end', () => {}, { strange: 1 });",
    ),
  });
  await cli.run(['plugins', 'enable', 'late', '--allow-conversation']);
  const { stderr } = await cli.run(['agent', '-m', 'read a.md']);
  expect(stderr).toContain('tool_result_persist handler from late returned a Promise');
  expect(stderr).toContain('llm_input handler from late returned a result');
  expect(stderr).toContain('hook "before_tool_cal" ignored. Did you mean "before_tool_call"?');
  expect(stderr).toContain('option "strange" of typed hook "agent_end" has no effect here');
});

it('says that the usual model answers where the agent file names one that is not there, and no other is chosen', async () => {
  await cli.write({ 'workspace/.pincer/agent.yml': 'llm: { provider: anthropic, model: gpt-5 }\n' });
  const said = /^info: anthropic\/gpt-5 is not among your models; the usual one answers\./mu;
  expect((await cli.run(['agent', '-m', 'Hello'])).stderr).toMatch(said);
  const model = await cli.replay({ text: 'Aye.' });
  expect((await cli.run(['agent', '-m', 'Hello', '--model', model])).stderr).toBe('');
});

it('names the command that enables a plugin of an agent file in the workspace, and that one does', async () => {
  const file = 'workspace/agents/agent.yml';
  await cli.write({
    [file]: agentFile,
    'workspace/agents/plugins/sign.ts':
      "export default class { beforeResponse({ content }) { return { ok: true, modify: { content: content + ' Sir.' } }; } }",
  });
  const named = ['--agent-file', file];
  const turn = ['agent', ...named, '--model', await cli.replay({ text: 'Aye.' }), '-m', 'Hello'];
  const { code, stderr } = await cli.run(turn);
  expect(code).toBe(1);
  const command = `plugins enable dexto:sign --workspace ${cli.workspace} --agent-file ${file}`;
  expect(stderr).toContain(`This enables it: pincer ${command}\n`);
  for (const look of ['list', 'doctor'])
    expect((await cli.run(['plugins', look, ...named])).stdout).toContain('dexto:sign');
  expect((await cli.run(['plugins', 'doctor'])).stdout).not.toContain('dexto:sign');

  expect((await cli.run(command.split(' '))).code).toBe(0);
  expect((await cli.run(turn)).stdout).toBe('Aye. Sir.\n');
  expect((await cli.run(['plugins', 'inspect', 'dexto:sign', ...named])).code).toBe(0);
  expect((await cli.run(['plugins', 'disable', 'dexto:sign', ...named])).code).toBe(0);
  expect((await cli.run(turn)).stdout).toBe('Aye.\n');
});

it('says that a cleanup failed, and where a plugin ends the process', async () => {
  await writes(
    "export default class { beforeResponse() { return { ok: true }; } cleanup() { throw new Error('still afloat'); } }",
  );
  expect((await cli.run(await ask())).stderr).toMatch(
    /dexto:sign: cleanup of plugin 'sign' failed: still afloat \(.*sign\.ts:1\)\. Correct its cleanup\(\)/u,
  );
  await writes('export default class { beforeResponse() { process.exit(7); } }');
  const ended = await cli.run(await ask());
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(
    `ended the process before the command was done (${cli.folder}/agents/plugins/sign.ts:1)`,
  );
});

it('names the plugin of a workspace that ends the process', async () => {
  await cli.write({
    'workspace/.pincer/agent.yml': agentFile,
    'workspace/.pincer/plugins/sign.ts': 'export default class { beforeResponse() { process.exit(7); } }',
  });
  await cli.run(['plugins', 'enable', 'dexto:sign']);
  const model = await cli.replay({ text: 'Aye.' });
  const { code, stderr } = await cli.run(['agent', '--model', model, '-m', 'Hello']);
  expect(code).toBe(1);
  const own = join(cli.workspace, '.pincer/plugins/sign.ts');
  expect(stderr).toContain(
    `error: The plugin dexto:sign ended the process before the command was done (${own}:1).\nTake process.exit`,
  );
});
