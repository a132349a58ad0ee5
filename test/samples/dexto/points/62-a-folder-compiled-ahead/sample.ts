import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { compileFolder } from '../../../../../src/dexto/bundle/compileFolder.ts';
import { createNodeFileSystem } from '../../../../../src/host/node/nodeFileSystem.ts';
import { sample, type PointPlaces } from '../pointSample.ts';

const compile = ({ agentDir }: Pick<PointPlaces, 'agentDir'>, name = 'hooks') =>
  compileFolder({
    fs: createNodeFileSystem(),
    workspace: dirname(agentDir),
    from: join(agentDir, name),
    to: join(agentDir, 'dist', name),
  });

export default sample({
  rule: 'a folder of TypeScript plugins becomes JavaScript, file by file and line by line, which runs here and in Node alone',
  async prepare(places) {
    await writeFile(join(places.agentDir, 'hooks/sign/index.test.ts'), 'no test is compiled: (');
    return await compile(places);
  },
  async check({ say, agentDir, save, runtime }) {
    const signed = 'Yours, the harbour master [sealed] By hand.';
    expect((await say('hello', [{ text: 'Done.' }])).sent).toContain(`hello ${signed}`);

    const entry = join(agentDir, 'dist/hooks/sign/index.js');
    const run = `const Sign = require(process.argv[1]).default; const sign = new Sign(); sign.initialize({ name: 'the harbour master' });
      sign.beforeLLMRequest({ text: 'hello' }).then(({ modify }) => process.stdout.write(modify.text));`;
    expect((await promisify(execFile)(process.execPath, ['-e', run, entry])).stdout).toBe(`hello ${signed}`);
    const lineOf = (text: string): number =>
      text.split('\n').findIndex((line) => line.includes('By hand') || line.includes('note.txt'));
    const source = await readFile(join(agentDir, 'hooks/sign/index.ts'), 'utf8');
    expect(lineOf(await readFile(entry, 'utf8'))).toBe(lineOf(source));

    // It may be compiled again, over its own output alone.
    expect(await compile({ agentDir })).toEqual({
      compiled: ['sign/index.js', 'sign/lib/greet.js', 'sign/stamp.js'],
      copied: ['sign/note.txt', 'sign/words.json'],
    });
    await writeFile(join(agentDir, 'dist/hooks/package.json'), '{}');
    await expect(compile({ agentDir })).rejects.toMatchObject({ code: 'output_exists' });

    // What a link says to lie here may lie anywhere.
    const outside = await mkdtemp(join(tmpdir(), 'pincer-outside-'));
    await writeFile(join(outside, 'id_rsa'), 'a key');
    await symlink(outside, join(agentDir, 'linked'));
    const leadsOut = { code: 'compile_failed', message: expect.stringContaining('by a link') as string };
    await expect(compile({ agentDir }, 'linked')).rejects.toMatchObject(leadsOut);
    await rm(join(agentDir, 'dist'), { recursive: true });
    await symlink(outside, join(agentDir, 'dist'));
    await expect(compile({ agentDir })).rejects.toMatchObject(leadsOut);
    expect(await readdir(outside)).toEqual(['id_rsa']);
    await rm(join(agentDir, 'dist'));
    await rm(outside, { recursive: true });

    await save('.pincer/broken/one.ts', "import '../hooks/sign/index.ts';\n");
    await save('.pincer/broken/two.ts', 'export const at =\n  await 3;\n');
    await save('.pincer/broken/three.ts', '\nexport class {\n');
    const why = await compile({ agentDir }, 'broken').then(String, (error: unknown) => {
      const { code, message } = error as Error & { readonly code: string };
      return `${code} ${message}`;
    });
    expect(why).toMatch(/^compile_failed /u);
    expect(why).toMatch(/one\.ts:1 imports \.\.\/hooks\/sign\/index\.ts, which lies outside of .*broken/u);
    expect(why).toMatch(/two\.ts awaits outside of functions/u);
    expect(why).toMatch(/three\.ts:2:/u);
    expect(runtime.workspace.problem()).toBeUndefined();
  },
});
