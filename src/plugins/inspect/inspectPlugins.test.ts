import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import {
  hintConfig,
  inspectPlugins,
  type InspectParts,
  type InspectRequest,
  type Inspection,
} from './inspectPlugins.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-inspect-'));
});
afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'inspected');
  await rm(root, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const manifest = (id: string, more: object = {}) => JSON.stringify({ id, configSchema: {}, ...more });

function inspect(
  path: string,
  request: Partial<InspectRequest> = {},
  parts: Partial<InspectParts> = {},
): Promise<Inspection> {
  return inspectPlugins(
    {
      fs: createNodeFileSystem(),
      clock: systemClock,
      log: createInMemoryLog(),
      workDir: join(root, '.work'),
      coreToolNames: ['read'],
      reservedCommands: ['tool'],
      ...parts,
    },
    { path: join(root, path), allowConversation: true, ...request },
  );
}

const statuses = ({ plugins }: Inspection) => plugins.map(({ id, status }) => `${id} ${status}`);

const tool = (name: string) =>
  `{ name: '${name}', description: 'Does ${name}.', parameters: { type: 'object', properties: {} }, execute() {} }`;

describe('inspectPlugins', () => {
  it('gives the record of a plugin with everything it registered', async () => {
    await write({
      'p/openclaw.plugin.json': manifest('p', {
        version: '1.2.3',
        contracts: { tools: ['one', 'two', 'three'] },
      }),
      'p/index.ts': `export default { register(api: any) {
        api.registerTool(${tool('one')});
        api.registerTool(() => [${tool('two')}, ${tool('three')}], { names: ['two', 'three'], optional: true });
        api.registerCommand({ name: 'go', handler: () => 'x' });
        api.registerService({ id: 'worker', start() {} });
        api.on('before_tool_call', () => {}, { priority: 5, timeoutMs: 1000 });
        api.on('llm_output', () => {});
      } };`,
    });
    const { plugins, diagnostics, timings } = await inspect('p');
    expect(plugins).toMatchObject([
      {
        id: 'p',
        version: '1.2.3',
        status: 'loaded',
        commands: ['go'],
        services: ['worker'],
        hooks: [
          { hook: 'before_tool_call', priority: 5, timeoutMs: 1000, position: 1, of: 1 },
          { hook: 'llm_output', position: 1, of: 1 },
        ],
        registrations: { tool: ['one', 'two', 'three'], command: ['go'], service: ['worker'] },
        tools: [
          { name: 'one', description: 'Does one.', parameters: { type: 'object' }, optional: false },
          { name: 'two', optional: true },
          { name: 'three', optional: true },
        ],
      },
    ]);
    expect(diagnostics).toEqual([]);
    expect(timings.totalMs).toBeGreaterThanOrEqual(timings.loadMs + timings.registerMs);
  });

  it('names tools that only their factory names', async () => {
    await write({
      'p/openclaw.plugin.json': manifest('p', { contracts: { tools: ['made'] } }),
      'p/index.js': `module.exports = (api) => api.registerTool(() => (${tool('made')}));`,
    });
    expect((await inspect('p')).plugins).toMatchObject([
      { toolNames: ['made'], registrations: { tool: ['made'] }, tools: [{ name: 'made' }] },
    ]);
  });

  it('starts no service', async () => {
    await write({
      'p/openclaw.plugin.json': manifest('p'),
      'p/index.js': `module.exports = (api) => api.registerService({ id: 's', start() { globalThis.inspected = 1; } });`,
    });
    expect((await inspect('p')).plugins[0]?.services).toEqual(['s']);
    expect(globalThis).not.toHaveProperty('inspected');
  });

  it.each([
    ['a folder with an index', 'p', { 'p/index.mjs': 'export default () => {};' }],
    [
      'its index file',
      'p/index.ts',
      { 'p/index.ts': "import './more.ts'; export default () => {};", 'p/more.ts': '' },
    ],
    ['its manifest', 'p/openclaw.plugin.json', { 'p/index.cjs': 'module.exports = () => {};' }],
    ['a loose file', 'p/p.ts', { 'p/p.ts': 'export default () => {};' }],
    [
      'a package',
      'p',
      {
        'p/package.json': '{"name":"@x/p","openclaw":{"extensions":["./src/main.ts"]}}',
        'p/src/main.ts': 'export const register = () => {};',
      },
    ],
  ])('finds %s', async (_title, path, files) => {
    await write({ 'p/openclaw.plugin.json': manifest('p'), ...files });
    expect(statuses(await inspect(path))).toEqual(['p loaded']);
  });

  it('loads each plugin of a folder alone, so that none takes a name from another', async () => {
    const code = `module.exports = (api) => api.registerTool(${tool('same')});`;
    await write({
      'all/a/openclaw.plugin.json': manifest('a', { kind: 'memory', contracts: { tools: ['same'] } }),
      'all/a/index.js': code,
      'all/b/openclaw.plugin.json': manifest('b', { kind: 'memory', contracts: { tools: ['same'] } }),
      'all/b/index.js': code,
      'all/c/openclaw.plugin.json': manifest('c'),
      'all/c/index.js': 'throw new Error("no luck");',
    });
    const inspection = await inspect('all');
    expect(statuses(inspection)).toEqual(['a loaded', 'b loaded', 'c error']);
    expect(inspection.plugins.map(({ tools }) => tools.length)).toEqual([1, 1, 0]);
    expect(inspection.diagnostics).toMatchObject([{ pluginId: 'c', level: 'error' }]);
  });

  it('reads nothing of the home folder and leaves nothing but its work folder', async () => {
    await write({
      'p/openclaw.plugin.json': manifest('p'),
      'p/index.ts': `export default (api) => { globalThis.inspected = api.resolvePath('~'); };`,
    });
    await inspect('p');
    expect(globalThis).toHaveProperty('inspected', join(root, '.work', '0', 'home'));
    expect((await readdir(root)).sort()).toEqual(['.work', 'p']);
  });

  it('names the settings that are missing, takes given ones, and fills in defaults', async () => {
    const configSchema = {
      type: 'object',
      properties: { key: { type: 'string' }, limit: { type: 'integer', default: 3 } },
      required: ['key'],
    };
    await write({
      'p/openclaw.plugin.json': manifest('p', { configSchema }),
      'p/index.js': 'module.exports = (api) => { globalThis.inspected = api.pluginConfig; };',
    });
    const bare = await inspect('p');
    expect(bare.plugins).toMatchObject([{ status: 'error', failurePhase: 'validation' }]);
    const hint = `Give it settings: --config '{"key":"…"}'.`;
    expect(bare.diagnostics).toMatchObject([{ code: 'plugin_config_invalid', hint }]);
    expect(bare.plugins[0]?.diagnostics).toMatchObject([{ hint }]);
    expect(globalThis).not.toHaveProperty('inspected');

    expect(statuses(await inspect('p', { config: { key: 'k' } }))).toEqual(['p loaded']);
    expect(globalThis).toHaveProperty('inspected', { key: 'k', limit: 3 });
  });

  it('registers conversation hooks, unless that is asked not to be', async () => {
    await write({
      'p/openclaw.plugin.json': manifest('p'),
      'p/index.js': `module.exports = (api) => api.on('llm_input', () => {});`,
    });
    expect((await inspect('p')).plugins[0]?.hookNames).toEqual(['llm_input']);
    expect((await inspect('p', { allowConversation: false })).plugins[0]?.hookNames).toEqual([]);
  });

  it('loads from a folder that others may write to, and says that plugins folders refuse it', async () => {
    await write({ 'p/openclaw.plugin.json': manifest('p'), 'p/index.js': 'module.exports = () => {};' });
    await chmod(join(root, 'p'), 0o777);
    const { plugins, diagnostics } = await inspect('p');
    expect(plugins).toMatchObject([{ status: 'loaded' }]);
    expect(diagnostics).toMatchObject([{ level: 'warn', code: 'plugin_candidate_blocked' }]);
  });

  it('gives up on a register that never returns, and on no other', async () => {
    await write({
      'all/a/openclaw.plugin.json': manifest('a'),
      'all/a/index.js': 'module.exports = () => { globalThis.inspected(); return new Promise(() => {}); };',
      'all/b/openclaw.plugin.json': manifest('b'),
      'all/b/index.js': 'module.exports = () => {};',
    });
    const clock = createManualClock();
    const registers = new Promise<void>((resolve) => Object.assign(globalThis, { inspected: resolve }));
    const inspecting = inspect('all', {}, { clock });
    await registers;
    await Promise.resolve();
    clock.advance(30_000);
    const inspection = await inspecting;
    expect(statuses(inspection)).toEqual(['a error', 'b loaded']);
    expect(inspection.plugins[0]?.reason).toContain('timed out after 30000ms');
  });

  it('says that there is no plugin, or nothing at all', async () => {
    await write({ 'p/readme.md': '' });
    expect(await inspect('p')).toMatchObject({ plugins: [], diagnostics: [{ code: 'plugin_none_found' }] });
    await expect(inspect('q')).rejects.toMatchObject({ code: 'plugin_path_not_found' });
  });

  it('says once what is wrong with a package', async () => {
    await write({ 'p/package.json': '{"openclaw":{"extensions":["./gone.js"]}}' });
    expect((await inspect('p')).diagnostics).toMatchObject([{ code: 'plugin_entry_not_found' }]);
    await write({ 'p/package.json': '{"openclaw":{"extensions":["./gone.js","./a.js"]}}' });
    await write({ 'p/openclaw.plugin.json': manifest('p'), 'p/a.js': 'module.exports = () => {};' });
    const { diagnostics } = await inspect('p');
    expect(diagnostics.filter(({ code }) => code === 'plugin_entry_not_found')).toHaveLength(1);
  });
});

describe('hintConfig', () => {
  it('shows a value of the right type for each setting that is required', () => {
    const properties = {
      mode: { enum: ['a', 'b'] },
      port: { type: 'integer', minimum: 1 },
      on: { type: 'boolean' },
      list: { type: 'array' },
      more: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
    };
    const required = [...Object.keys(properties), "it's"];
    expect(hintConfig({ properties, required })).toBe(
      String.raw`Give it settings: --config '{"mode":"a","port":1,"on":true,"list":[],"more":{"x":"…"},"it'\''s":"…"}'.`,
    );
    expect(hintConfig({ type: 'object' })).toBeUndefined();
  });
});
