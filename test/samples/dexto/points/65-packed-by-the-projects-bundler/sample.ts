import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../../../../scripts/projectRoot.ts';
import { builtIns } from '../../../../../src/dexto/builtins/builtIns.ts';
import { bundleAgent, type BundledAgent, type Bundler } from '../../../../../src/dexto/bundle/bundleAgent.ts';
import { createNodeFileSystem } from '../../../../../src/host/node/nodeFileSystem.ts';
import { openTestRuntime } from '../../../../builders/openTestRuntime.ts';
import { sample } from '../pointSample.ts';

export default sample({
  rule: "the esbuild of the project can pack a bundle, without what nothing uses and as small as it can be; what the program provides stays the program's",
  async check({ agentDir, workspace, root, save, stop }) {
    const pack = async (bundler?: Bundler): Promise<BundledAgent> =>
      await bundleAgent({
        ...{ fs: createNodeFileSystem(), path: join(agentDir, 'agent.yml'), roots: [workspace] },
        ...{ env: {}, builtIns, ...(bundler === undefined ? {} : { bundler }) },
      });
    const esbuild = { name: 'esbuild', minify: false } as const;
    await expect(pack(esbuild)).rejects.toMatchObject({ code: 'bundler_missing' });
    const installed = join(workspace, 'node_modules', 'esbuild');
    await mkdir(dirname(installed), { recursive: true });
    await symlink(join(projectRoot, 'node_modules', 'esbuild'), installed);

    const unused = 'nobody asks for this text';
    expect((await pack()).text).toContain(unused);
    const packed = await pack(esbuild);
    expect(packed).toMatchObject({ plugins: [{ name: 'sign' }], warnings: [] });
    expect(packed.text).not.toContain(unused);
    expect(packed.text).not.toContain(root);
    const small = await pack({ ...esbuild, minify: true });
    expect(small.text.length).toBeLessThan(packed.text.length);

    await save('.pincer/plugins/sign/ending.ts', "\nimport './gone.ts';\n");
    await expect(pack(esbuild)).rejects.toMatchObject({
      code: 'bundle_failed',
      source: join(agentDir, 'plugins/sign/ending.ts'),
      line: 2,
    });

    await stop();
    await rm(agentDir, { recursive: true });
    await rm(join(workspace, 'node_modules'), { recursive: true });
    for (const { text } of [packed, small]) {
      const file = join(workspace, 'agent-bundle.cjs');
      await writeFile(file, text);
      await using bundled = await openTestRuntime({ root, bundle: file });
      const signed = { expect: { userText: 'hello Yours, the harbour master.' }, text: 'Done.' };
      expect((await bundled.say('hello', [signed])).outcome).toMatchObject({ status: 'completed' });
      expect((await bundled.say('stop', [{ text: 'never asked' }])).outcome).toMatchObject({
        status: 'blocked',
        text: 'Not today.',
      });
    }
  },
});
