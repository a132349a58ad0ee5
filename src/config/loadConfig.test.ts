import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { loadConfig, placed, type LoadedConfig } from './loadConfig.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pincer-config-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const write = (text: string) => writeFile(join(home, 'config.jsonc'), text);
const load = (previous?: LoadedConfig) =>
  loadConfig(createNodeFileSystem(), { home, folders: [join(home, 'w')] }, previous);

describe('loadConfig', () => {
  it('keeps what a file said while it is broken, and says so', async () => {
    await write('{ "tools": { "deny": ["exec"] } }');
    const good = await load();
    await write('{ "tools": { "deny": ["exec" } }');
    const broken = await load(await load(good));
    expect(broken.config).toEqual(good.config);
    expect(broken.diagnostics).toMatchObject([{ code: 'config_syntax' }]);
    expect(broken.diagnostics[0]?.hint).toContain('previous content');
    await write('{}');
    expect((await load(broken)).config.tools.policies[0]?.tools).toEqual({});
  });

  it('says where a key stands that is ignored, or names what is not there', async () => {
    await write('{\n  "model": "x",\n  "tools": { "profile": "none-such" }\n}');
    await mkdir(join(home, 'w', '.pincer'), { recursive: true });
    const ofWorkspace =
      '{\n  "tools": {\n    "exec": { "security": "full" }\n  },\n  "sandbox": {\n    "memory": "8g"\n  }\n}';
    await writeFile(join(home, 'w', '.pincer', 'config.jsonc'), ofWorkspace);
    const loaded = await load();
    expect(loaded.diagnostics.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['config_workspace_ignored', 3, 15],
      ['config_workspace_ignored', 6, 5],
      ['config_profile_unknown', 3, 14],
    ]);
    // What is found later is placed by the same keys; one that stands nowhere has no place.
    const about = { level: 'error', code: 'c', message: 'm', source: join(home, 'config.jsonc') } as const;
    expect(placed({ ...about, key: ['model'] }, loaded)).toMatchObject({ line: 2, column: 3 });
    expect(placed({ ...about, key: ['agent', 'fallbacks', 0] }, loaded).line).toBeUndefined();
  });

  it('lets only bundled plugins and no turn run while nothing is known of what the user says', async () => {
    await write('{ "plugins": ');
    const broken = await load();
    expect(broken.config.plugins.onlyBundled).toBe(true);
    expect(broken.config.tools.policies[0]?.tools.deny).toEqual(['*']);
    expect(broken.diagnostics[0]?.hint).toContain('Until it is fixed, the agent does not run.');
    expect(broken.problem).toBe(broken.diagnostics[0]);
    expect((await load(broken)).config.plugins.onlyBundled).toBe(true);
    await write('{}');
    expect((await load(broken)).config.plugins.onlyBundled).toBeUndefined();
  });

  it('takes a file that can not be read for a broken one, and none for an empty one', async () => {
    expect((await load()).config.plugins.onlyBundled).toBeUndefined();
    await mkdir(join(home, 'config.jsonc'));
    const unreadable = await load();
    expect(unreadable.config.plugins.onlyBundled).toBe(true);
    expect(unreadable.diagnostics).toMatchObject([{ code: 'config_unreadable' }]);
  });

  it('lets no turn run where only a workspace file is broken, and all plugins', async () => {
    await mkdir(join(home, 'w/.pincer'), { recursive: true });
    await writeFile(join(home, 'w/.pincer/config.jsonc'), '{');
    const { config, diagnostics, problem } = await load();
    expect(config.plugins.onlyBundled).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'config_syntax' }]);
    expect(problem).toBe(diagnostics[0]);
  });
});
