import { afterEach, beforeEach, expect, it } from 'vitest';
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

it('says that a cleanup failed, and where a plugin ends the process', async () => {
  await writes(
    "export default class { beforeResponse() { return { ok: true }; } cleanup() { throw new Error('still afloat'); } }",
  );
  expect((await cli.run(await ask())).stderr).toMatch(
    /dexto:sign: cleanup of plugin 'sign' failed: still afloat \(.*sign\.ts:1\) Correct its cleanup\(\)/u,
  );
  await writes('export default class { beforeResponse() { process.exit(7); } }');
  const ended = await cli.run(await ask());
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/ended the process before the command was done \(.*sign\.ts:1\)/u);
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
  expect(stderr).toMatch(
    /^error: The plugin dexto:sign ended the process .*\(.*sign\.ts:1\)\.\nTake process\.exit/mu,
  );
});
