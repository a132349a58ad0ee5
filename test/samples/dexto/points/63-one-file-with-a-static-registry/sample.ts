import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import { builtIns } from '../../../../../src/dexto/builtins/builtIns.ts';
import { createNodeFileSystem } from '../../../../../src/host/node/nodeFileSystem.ts';
import type { AgentBundle } from '../../../../../src/plugins/dexto/bundle/agentBundle.ts';
import { bundleAgent } from '../../../../../src/plugins/dexto/bundle/bundleAgent.ts';
import { openBundle } from '../../../../../src/plugins/dexto/bundle/openBundle.ts';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'an agent file and its plugins, TypeScript compiled, become one file with a registry by name, which needs none of their files and holds no secret',
  env: { SIGN_NAME: 'the harbour master' },
  async check({ say, agentDir, workspace }) {
    expect((await say('hello', [{ text: 'Done.' }])).sent).toContain('hello Yours, the harbour master.');
    const path = join(agentDir, 'agent.yml');
    const env = { SIGN_NAME: 'the harbour master' };
    const made = await bundleAgent({ fs: createNodeFileSystem(), path, roots: [workspace], env, builtIns });
    expect(made).toMatchObject({ plugins: [{ name: 'sign' }], modules: 2, warnings: [] });
    expect(made.text).not.toContain('harbour master');
    await rm(agentDir, { recursive: true });
    const file = join(workspace, 'agent-bundle.cjs');
    await writeFile(file, made.text);
    const bundle = createRequire(file)(file) as AgentBundle;
    expect(Object.keys(bundle.plugins)).toEqual(['sign']);
    expect(openBundle(file).path).toBe(file);
  },
});
