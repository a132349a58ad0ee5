import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPluginsConfig } from '../../../test/builders/openDextoWorld.ts';
import { firePoints } from '../../../test/builders/openExtensionPoints.ts';
import { createDextoAdapter } from '../createDextoAdapter.ts';
import type { ExecutionContext } from '../dextoTypes.ts';
import { builtIns } from '../builtins/builtIns.ts';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock as clock } from '../../host/node/systemClock.ts';
import { createConsentStore } from '../../plugins/consent/consentStore.ts';
import { createHangGuard } from '../../plugins/createHangGuard.ts';
import { createDextoLoader } from '../load/createDextoLoader.ts';
import { createDextoPlugins, type DextoPlugins } from '../load/createDextoPlugins.ts';
import { bundleAgent } from './bundleAgent.ts';
import { openBundle } from './openBundle.ts';

const fs = createNodeFileSystem();
let root: string;
let plugins: DextoPlugins | undefined;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-open-bundle-')));
});
afterEach(async () => {
  await plugins?.close();
  plugins = undefined;
  await rm(root, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<string> {
  const file = join(root, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** Bundles an agent with the plugin `tag`, takes its files away, and opens the bundle as the command line does. */
async function openAgent(change: (text: string) => string = (text) => text): Promise<DextoPlugins> {
  const agent = await write(
    'made/agent.yml',
    `plugins:
  contentPolicy: { maxInputChars: 20 }
  custom:
    - { name: tag, module: "\${{dexto.agent_dir}}/tag/index.ts", priority: 20, config: { tag: $BUNDLE_TAG } }
`,
  );
  await write('made/tag/package.json', '{ "version": "1.2.3" }');
  await write(
    'made/tag/index.ts',
    `export default class Tag {
  private tag = '';
  initialize({ tag }: { tag: string }): void { this.tag = tag; }
  beforeLLMRequest({ text }: { text: string }) { return { ok: true, modify: { text: text + this.tag } }; }
}`,
  );
  const made = await bundleAgent({ fs, path: agent, roots: [], env: {}, builtIns });
  await rm(join(root, 'made'), { recursive: true });
  const path = await write('w/agent-bundle.cjs', change(made.text));
  // Of the workspace, and no business of the bundle.
  await write('w/package.json', '{ "version": "9.9.9", "peerDependencies": { "@dexto/core": "99" } }');

  const bundle = openBundle(path);
  const log = createInMemoryLog();
  const stateDir = join(root, 'state');
  const home = join(root, 'home', '.pincer');
  const hangGuard = createHangGuard({ fs, clock, stateDir });
  const modules = bundle.modules(stateDir);
  const opened = createDextoPlugins({
    ...{ fs, clock, log, env: { BUNDLE_TAG: '!' }, home, stateDir, builtIns },
    consents: createConsentStore(fs, home),
    loader: { ...createDextoLoader({ clock, log, stateDir, hangGuard, modules }), resolve: bundle.resolve },
    readAgentFile: bundle.readAgentFile,
    createAdapter: () => createDextoAdapter({ clock, log, context: () => ({}) as ExecutionContext }),
  });
  plugins = opened;
  await opened.load({ roots: [join(root, 'w')], trusted: true, agentFile: path, config: noPluginsConfig });
  return opened;
}

describe('openBundle', () => {
  it('stands in for the agent file and the files of its plugins; nobody is asked to agree', async () => {
    const opened = await openAgent();
    expect(opened.problem()).toBeUndefined();
    expect(opened.plugins()).toMatchObject([
      { id: 'dexto:contentPolicy', status: 'loaded' },
      { id: 'dexto:tag', status: 'loaded', version: '1.2.3' },
    ]);
    const points = firePoints(opened.points, clock);
    const ask = (text: string) => points.run('beforeLLMRequest', { text });
    expect(await ask('hello')).toMatchObject({ outcome: 'passed', payload: { text: 'hello!' } });
    expect(await ask('hello'.repeat(5))).toMatchObject({ outcome: 'blocked', pluginId: 'contentPolicy' });
    expect(opened.agentFile()?.origin).toBe('user');
  });

  it('stops the agent where the bundle lacks a plugin that its agent file has', async () => {
    const opened = await openAgent((text) => text.replace('"tag":{', '"other":{'));
    expect(opened.problem()?.message).toContain("plugin 'tag' is not in the bundle");
  });

  it.each([
    ['nothing', undefined, 'bundle_unreadable'],
    ['a module that throws', 'throw new Error("no")', 'bundle_unreadable'],
    ['another module', 'module.exports = { plugins: {} };', 'bundle_invalid'],
    ['one of a later version', 'module.exports = { format: 2 };', 'bundle_invalid'],
  ])('refuses %s', async (_, text, code) => {
    const path = join(root, 'x.cjs');
    if (text !== undefined) await write('x.cjs', text);
    expect(() => openBundle(path)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
