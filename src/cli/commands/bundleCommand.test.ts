import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBundleCommand } from './bundleCommand.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-bundle-command-'));
  await mkdir(join(folder, '.pincer'));
  await writeFile(
    join(folder, '.pincer', 'agent.yml'),
    'plugins:\n  custom:\n    - { name: one, module: "${{dexto.agent_dir}}/one.mjs", priority: 1, config: { key: $NOT_SET_ANYWHERE } }\n',
  );
  await writeFile(
    join(folder, '.pincer', 'one.mjs'),
    'export const here = import.meta.dirname;\nexport default class { beforeToolCall() { return { ok: true }; } }',
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(options: { readonly output: string; readonly json?: boolean }) {
  const said = { out: '', err: '' };
  const output = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  const target = join(folder, options.output);
  const code = await runBundleCommand({ workspace: folder, ...options, output: target }, output);
  return { ...said, code, target };
}

describe('pincer bundle', () => {
  it('writes one file of the agent file of the workspace, and says what is in it and what may be missing', async () => {
    const { code, out, err, target } = await run({ output: 'made.cjs' });
    expect(code).toBe(0);
    expect(out).toMatch(/made\.cjs holds one \(1 file\)\.\nRun it: pincer agent --bundle \S+made\.cjs/u);
    expect(err).toMatch(/^warning: .*import\.meta\.dirname.*one\.mjs:1\)/u);
    const text = await readFile(target, 'utf8');
    expect(text).toContain('$NOT_SET_ANYWHERE');
    expect(text).not.toContain(folder);
  });

  it('writes over a bundle, and over nothing else', async () => {
    await run({ output: 'made.cjs' });
    await run({ output: 'made.cjs' });
    await expect(run({ output: '.pincer/one.mjs' })).rejects.toMatchObject({ code: 'output_exists' });
    expect(await readFile(join(folder, '.pincer', 'one.mjs'), 'utf8')).toContain('export default');
  });

  it('tells the same as JSON', async () => {
    const { out, err, target } = await run({ output: 'made.cjs', json: true });
    expect(JSON.parse(out)).toMatchObject({ output: target, plugins: [{ name: 'one' }], modules: 1 });
    expect(err).toBe('');
  });
});
