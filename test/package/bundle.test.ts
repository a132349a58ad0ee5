import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

it('makes one file of an agent, its TypeScript and its packages, which runs when all of them are gone', async () => {
  await cli.write({
    'workspace/.pincer/agent.yml': `
plugins:
  contentPolicy: { maxInputChars: 40 }
  responseSanitizer: { redactEmails: true }
  custom:
    - { name: sign, module: "\${{dexto.agent_dir}}/plugins/sign.ts", priority: 20, config: { name: $SIGN_NAME } }
`,
    'workspace/.pincer/plugins/sign.ts': `
import type { DextoPlugin } from '@dexto/core';
import frame from 'tiny-frame';
import { greet } from './lib/greet.js';
export default class Sign implements DextoPlugin {
  private name = '';
  initialize(config: Record<string, unknown>): void { this.name = String(config['name']); }
  beforeResponse({ content }: { content: string }) {
    return { ok: true, modify: { content: content + frame(greet(this.name)) } };
  }
}
`,
    'workspace/.pincer/plugins/lib/greet.ts':
      'export const greet = (name: string): string => `Yours, ${name}`;',
    'workspace/node_modules/tiny-frame/package.json': '{ "name": "tiny-frame", "version": "1.0.0" }',
    'workspace/node_modules/tiny-frame/index.js': "module.exports = (text) => ' [' + text + ']';",
  });
  const made = await cli.run(['bundle', '--output', 'agent-bundle.cjs']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('agent-bundle.cjs holds sign (3 files).');

  await rm(join(cli.workspace, '.pincer'), { recursive: true });
  await rm(join(cli.workspace, 'node_modules'), { recursive: true });
  const model = await cli.replay({ text: 'Write to me@example.com.' });
  const ask = (message: string) =>
    cli.run(['agent', '--bundle', 'agent-bundle.cjs', '--model', model, '-m', message], {
      env: { SIGN_NAME: 'the agent' },
    });
  expect(await ask('Whom do I write to?')).toMatchObject({
    code: 0,
    stdout: 'Write to [EMAIL]. [Yours, the agent]\n',
  });
  expect(await ask('A message that is longer than the agent file allows')).toMatchObject({ code: 3 });
});

it('takes plugins from a bundle alone where DEXTO_RUNTIME is serverless, and leaves the home of the user alone', async () => {
  const sign = (text: string) => ({
    'workspace/.pincer/agent.yml':
      'plugins: { custom: [{ name: sign, module: "${{dexto.agent_dir}}/sign.ts", priority: 1 }] }',
    'workspace/.pincer/sign.ts': `export default class { beforeResponse({ content }: any) { return { ok: true, modify: { content: content + '${text}' } }; } }`,
  });
  await cli.write(sign(' Bundled.'));
  await cli.run(['bundle', '--output', 'agent-bundle.cjs']);
  await cli.write(sign(' Of the machine.'));
  const model = await cli.replay({ text: 'Aye.' });
  const ask = (runtime: string, ...more: readonly string[]) =>
    cli.run(['agent', '--model', model, '-m', 'hello', ...more], {
      env: { DEXTO_RUNTIME: runtime, TMPDIR: join(cli.folder, 'scratch'), PINCER_HOME: undefined },
      hasState: false,
    });

  expect(await ask('serverless', '--bundle', 'agent-bundle.cjs')).toMatchObject({
    code: 0,
    stdout: 'Aye. Bundled.\n',
  });
  expect(await readdir(cli.home)).toEqual([]);
  const own = process.getuid === undefined ? 'pincer' : `pincer-${String(process.getuid())}`;
  expect(await readdir(join(cli.folder, 'scratch', own, 'state'))).toHaveLength(1);
  const alone = await ask('serverless');
  expect(alone).toMatchObject({ code: 2, stdout: '' });
  expect(alone.stderr).toContain('plugins come from a bundle alone');
  const unknown = await ask('edge', '--bundle', 'agent-bundle.cjs');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('DEXTO_RUNTIME is edge');
});

it('runs nothing where the bundle can not be opened', async () => {
  const { code, stdout, stderr } = await cli.run(['agent', '--bundle', 'gone.cjs', '-m', 'hello']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('There is no file');
});
