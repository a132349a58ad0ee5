import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failure } from './cliShapes.ts';
import { memoryFile, memoryIndex, memorySearch, memoryStatus } from './memoryShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
  await cli.write({
    'workspace/MEMORY.md': '# Decisions\n\nThe deploy key lies in the vault called Heron.\n',
    'workspace/docs/boats.md':
      '# Boats\n\n## Sails\n\nA spinnaker is set before the wind.\n\n## Oars\n\nTwo of ash.\n',
    'workspace/src/ignored.txt': 'A spinnaker in a file that is no markdown.\n',
  });
});
afterEach(() => cli.close());

describe('pincer memory', () => {
  it('finds a passage in a workspace that was never indexed, and tells where and why', async () => {
    const { code, stdout } = await cli.run(['memory', 'search', 'which', 'spinnaker', '--explain']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^docs\/boats\.md#L\d+-L\d+ {2}0\.\d\d {2}\d{4}-\d\d-\d\d\n {2}Boats › Sails\n/u);
    expect(stdout).toContain('  - Words 0.');
    expect(stdout).toContain('    A spinnaker is set before the wind.');
    expect(stdout).not.toContain('no markdown');
  });

  it('gives what docs/cli.md promises as JSON', async () => {
    const index = await cli.json(['memory', 'index']);
    expect(memoryIndex.parse(index.value).passages).toBeGreaterThan(1);
    const found = memorySearch.parse((await cli.json(['memory', 'search', 'heron', '--max', '1'])).value);
    expect(found.hits.map(({ label }) => label)).toEqual(['MEMORY.md']);
    const status = memoryStatus.parse((await cli.json(['memory', 'status'])).value);
    expect(status).toMatchObject({ isEnabled: true, files: 2, stale: 0 });
    const [citation = ''] = found.hits.map((hit) => hit.citation);
    const got = memoryFile.parse((await cli.json(['memory', 'get', citation])).value);
    expect(got.text).toContain('vault called Heron');
  });

  it('knows in the next process what has changed since', async () => {
    await cli.run(['memory', 'index']);
    await cli.write({ 'workspace/docs/boats.md': '# Boats\n\nA gaffer has four corners.\n' });
    const { stdout } = await cli.run(['memory', 'search', 'gaffer']);
    expect(stdout).toContain('A gaffer has four corners.');
    await rm(join(cli.workspace, 'docs', 'boats.md'));
    expect((await cli.run(['memory', 'search', 'gaffer'])).stdout).toMatch(
      /^Nothing was found for "gaffer" in /u,
    );
  });

  it.each([
    ['a search for nothing', ['memory', 'search', ' '], 'query_empty'],
    ['a file that it does not hold', ['memory', 'get', 'src/ignored.txt'], 'memory_file_unknown'],
    ['a file beyond the workspace', ['memory', 'get', '../../home/x.md'], 'memory_file_unknown'],
  ])('refuses %s with 2', async (_case, args, code) => {
    const refused = await cli.json(args);
    expect(refused.code).toBe(2);
    expect(failure.parse(refused.value).error.code).toBe(code);
  });

  it('leaves nothing in the workspace', async () => {
    await cli.run(['memory', 'index']);
    expect(await readdir(cli.workspace)).toEqual(['MEMORY.md', 'docs', 'src']);
    const { indexPath } = memoryStatus.parse((await cli.json(['memory', 'status'])).value);
    expect(indexPath.startsWith(cli.state)).toBe(true);
  });

  it('says when the config switches it off', async () => {
    await writeFile(join(cli.home, 'config.jsonc'), '{ "memory": { "enabled": false } }');
    expect((await cli.run(['memory', 'status'])).stdout).toMatch(/^Memory {2}switched off/u);
    const { code, value } = await cli.json(['memory', 'search', 'heron']);
    expect({ code, error: failure.parse(value).error.code }).toEqual({ code: 2, error: 'memory_disabled' });
  });
});
