import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import { builtIns } from '../../../../../src/dexto/builtins/builtIns.ts';
import type { Host } from '../../../../../src/host/ports.ts';
import { createNodeFileSystem } from '../../../../../src/host/node/nodeFileSystem.ts';
import type { AgentBundle } from '../../../../../src/dexto/bundle/agentBundle.ts';
import { bundleAgent } from '../../../../../src/dexto/bundle/bundleAgent.ts';
import { openTestRuntime } from '../../../../builders/openTestRuntime.ts';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'an agent file and its plugins, TypeScript compiled, become one file with a registry by name, which needs none of their files and holds no secret',
  env: { SIGN_NAME: 'the harbour master' },
  // What stands in for a variable counts as a secret: that it is taken out says that it was there.
  async check({ say, agentDir, workspace, root, stop }) {
    expect((await say('hello', [{ text: 'Done.' }])).sent).toContain('hello Yours, [key removed].');
    const path = join(agentDir, 'agent.yml');
    const env = { SIGN_NAME: 'the harbour master' };
    const made = await bundleAgent({ fs: createNodeFileSystem(), path, roots: [workspace], env, builtIns });
    expect(made).toMatchObject({ plugins: [{ name: 'sign' }], modules: 2, warnings: [] });
    expect(made.text).not.toContain('harbour master');
    await stop();
    await rm(agentDir, { recursive: true });
    const file = join(workspace, 'agent-bundle.cjs');
    await writeFile(file, made.text);
    const bundle = createRequire(file)(file) as AgentBundle;
    expect(Object.keys(bundle.plugins)).toEqual(['sign']);
    const host = (given: Host): Host => ({ ...given, env: { ...given.env, ...env } });
    await using bundled = await openTestRuntime({ root, bundle: file, adjustHost: host });
    const turn = await bundled.say('hello', [
      { expect: { userText: 'hello Yours, [key removed].' }, text: 'Done.' },
    ]);
    expect(turn.outcome).toEqual({ status: 'completed', text: 'Done.' });
    expect((await bundled.say('x'.repeat(21), [{ text: 'never asked' }])).outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'contentPolicy',
    });
  },
});
