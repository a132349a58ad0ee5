import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtIns } from '../builtins/builtIns.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { bundleAgent, type BundleError } from './bundleAgent.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-bundle-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

const bundle = (roots: readonly string[] = [root]) =>
  bundleAgent({
    fs: createNodeFileSystem(),
    path: join(root, 'agent', 'agent.yml'),
    roots,
    env: { ...process.env },
    builtIns,
  });

const shape = 'beforeToolCall() { return { ok: true }; }';

/** An agent file with one plugin. */
const one = (module: string): string =>
  `plugins:\n  custom:\n    - name: one\n      module: ${JSON.stringify(module)}\n      priority: 10\n`;

async function failureOf(files: Readonly<Record<string, string>>): Promise<BundleError> {
  await write({ 'agent/agent.yml': one('${{dexto.agent_dir}}/one.ts'), ...files });
  return await bundle().then(
    () => {
      throw new Error('it was bundled');
    },
    (error: unknown) => error as BundleError,
  );
}

const source = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

/** Loads every plugin of a bundle, in a process that knows nothing else, and lets the first one answer. */
const runner = `
  const [{ openBundle }, { createDextoLoader }, { builtIns }, { createNodeFileSystem }, { systemClock }] = await Promise.all([
    import(${source('dexto/bundle/openBundle.ts')}), import(${source('dexto/load/createDextoLoader.ts')}),
    import(${source('dexto/builtins/builtIns.ts')}), import(${source('host/node/nodeFileSystem.ts')}),
    import(${source('host/node/systemClock.ts')}),
  ]);
  const [path, stateDir] = process.argv.slice(1);
  const opened = openBundle(path);
  const { file, diagnostics } = await opened.readAgentFile(createNodeFileSystem(), { path, origin: 'workspace', roots: [], env: process.env, builtIns });
  const hangGuard = { hasHung: async () => false, watch: (_id, _content, work) => work() };
  const log = { write() {} };
  const loader = { ...createDextoLoader({ clock: systemClock, log, stateDir, hangGuard, modules: opened.modules(stateDir) }), resolve: opened.resolve };
  const told = [];
  for (const entry of file.plugins.filter(({ kind, enabled }) => kind === 'custom' && enabled)) {
    const { ok, ...module } = await loader.resolve(entry, file);
    const code = { ...module, entry, agentFile: path, rootDir: stateDir, codeDir: stateDir, cacheDir: stateDir, redact: (text) => text };
    const checked = ok ? await loader.load(code) : module;
    if (!checked.plugin) { told.push(checked.message); continue; }
    const ready = await loader.initialize(checked, path);
    const answer = await checked.plugin.instance.beforeResponse({ content: 'hello' }, {});
    told.push({ name: entry.name, version: checked.version, ready: ready.ok, content: answer.modify?.content });
  }
  console.log(JSON.stringify({ told, origin: file.origin, prompt: file.systemPrompt, names: file.plugins.map(({ name }) => name), diagnostics }));
`;

async function run(path: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  const args = ['--no-warnings', '--input-type=module', '-e', runner, path, join(root, 'state')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

describe('bundleAgent', () => {
  it('makes one file that runs in a process of its own when all plugins are gone', async () => {
    await write({
      'agent/agent.yml': `
systemPrompt:
  contributors:
    - { id: rules, type: file, priority: 1, files: ["\${{dexto.agent_dir}}/rules.md"] }
plugins:
  contentPolicy: { priority: 1, maxInputChars: 100 }
  custom:
    - { name: shout, module: "\${{dexto.agent_dir}}/plugins/shout.ts", priority: 10, config: { suffix: $BUNDLE_TEST_SUFFIX } }
    - { name: packaged, module: audit-pkg, priority: 20 }
    - { name: off, module: "\${{dexto.agent_dir}}/plugins/missing.ts", priority: 30, enabled: false }
`,
      'agent/rules.md': 'Be kind.',
      'agent/plugins/shout.ts': `
import type { DextoPlugin, PluginResult } from '@dexto/core';
import { DextoRuntimeError } from '@dexto/core';
import { extname } from 'node:path';
import pad from 'tiny-pad';
import { loud } from './lib/loud.js';
import words from './words.json';
import { form } from 'dual';
const dual = require('dual') as { readonly form: string };
export default class Shout implements DextoPlugin {
  private suffix = '';
  initialize(config: Record<string, unknown>): void { this.suffix = String(config['suffix']); }
  async beforeResponse({ content }: { content: string }): Promise<PluginResult> {
    const { late } = await import('./lib/late.ts');
    const all = [loud(content), words.list[0], late, typeof DextoRuntimeError, form, dual.form, extname('a.b'), import.meta.url.startsWith('file:'), this.suffix];
    return { ok: true, modify: { content: pad(all.join(' ')) } };
  }
}
`,
      'agent/plugins/lib/loud.ts':
        'export function loud(text: string): string { return text.toUpperCase(); } // end',
      'agent/plugins/lib/late.ts': "export const late = 'late';",
      'agent/plugins/words.json': '{ "list": ["word"] }',
      'node_modules/tiny-pad/package.json': '{ "name": "tiny-pad", "version": "1.0.0", "main": "main.js" }',
      'node_modules/tiny-pad/main.js':
        "const mark = require('./mark');\nmodule.exports = (text) => mark + text + mark;\ntry { require('not-there'); } catch {}\n",
      'node_modules/tiny-pad/mark.js': "module.exports = '*';",
      'node_modules/dual/package.json':
        '{ "name": "dual", "exports": { "import": "./index.mjs", "require": "./index.cjs" } }',
      'node_modules/dual/index.mjs': "export const form = 'module';",
      'node_modules/dual/index.cjs': "exports.form = 'commonjs';",
      'node_modules/audit-pkg/package.json':
        '{ "name": "audit-pkg", "version": "2.3.4", "type": "module", "exports": "./index.js" }',
      'node_modules/audit-pkg/index.js':
        "import { name } from './name.js';\nexport default class { async beforeResponse() { return { ok: true, modify: { content: name } }; } }",
      'node_modules/audit-pkg/name.js': "export const name = await Promise.resolve('audited');",
    });
    const made = await bundle();
    expect(made.plugins).toEqual([{ name: 'shout' }, { name: 'packaged', version: '2.3.4' }]);
    expect(made.modules).toBe(10);
    expect(made.warnings).toMatchObject([
      { message: expect.stringContaining('import.meta.url') as string, line: 15 },
      { message: expect.stringContaining("'not-there'") as string, line: 3 },
    ]);
    expect(made.text).toContain('$BUNDLE_TEST_SUFFIX');
    expect(made.text).not.toContain(root);
    expect((await bundle()).text).toBe(made.text);

    await rm(join(root, 'agent'), { recursive: true });
    await rm(join(root, 'node_modules'), { recursive: true });
    await write({ 'elsewhere/agent-bundle.cjs': made.text });
    const env = { BUNDLE_TEST_SUFFIX: 'from the environment' };
    expect(await run(join(root, 'elsewhere', 'agent-bundle.cjs'), env)).toEqual({
      told: [
        {
          name: 'shout',
          ready: true,
          content: '*HELLO word late function module commonjs .b true from the environment*',
        },
        { name: 'packaged', version: '2.3.4', ready: true, content: 'audited' },
      ],
      origin: 'user',
      prompt: [{ id: 'rules', type: 'static', priority: 1, content: 'Be kind.' }],
      names: ['contentPolicy', 'shout', 'packaged', 'off'],
      diagnostics: [],
    });
  });

  it('stops at an import that nothing names, with file and line, but only warns where a package does it', async () => {
    const error = await failureOf({
      'agent/one.ts': `import 'dyn';\nconst name = './x';\nawait import(name);\nexport default class { ${shape} }`,
      'agent/node_modules/dyn/index.js': 'module.exports = (name) => require(name);',
    });
    expect(error.message).toBe(
      `${join(root, 'agent', 'one.ts')}:3 imports what only shows when it runs. Write the name of the module as a text.`,
    );
    expect(error.diagnostics).toMatchObject([
      { level: 'error', line: 3 },
      { level: 'warn', source: join(root, 'agent/node_modules/dyn/index.js'), line: 1 },
    ]);
  });

  it.each([
    ['what is not there', "import './gone.js';", ':1 Cannot find module'],
    ['broken code', 'const = 1;', 'one.ts:1:'],
    ['a native add-on', "require('./a.node');", 'native add-ons'],
    ['the editor', "import 'vscode';", ':1 Plugin bundle imports "vscode"'],
  ])('stops at %s', async (_, code, message) => {
    const files = { 'agent/one.ts': `${code}\nexport default class { ${shape} }`, 'agent/a.node': '' };
    expect((await failureOf(files)).message).toContain(message);
  });

  it('stops at a plugin that is not there, and at an agent file that is wrong', async () => {
    expect((await failureOf({})).message).toMatch(/agent\.yml:\d+ plugin 'one'/u);
    const wrong = await failureOf({ 'agent/agent.yml': 'plugins:\n  contentPolice: {}\n' });
    expect(wrong.message).toContain('agent.yml:2');
  });

  it('leaves types alone, and a require of the code itself', async () => {
    await write({
      'agent/agent.yml': one('${{dexto.agent_dir}}/one.ts'),
      'agent/one.ts': `import type { X } from './types.js';\nimport { type Y } from './more-types.js';\nconst inner = (require: (name: string) => X | Y) => require('nothing');\nexport default class { ${shape} inner = inner }`,
    });
    expect(await bundle()).toMatchObject({ modules: 1, warnings: [] });
  });
});

it('names every file from outside of the workspace: whoever gets the bundle reads it', async () => {
  const prompt = `{ id: f, type: file, priority: 1, files: [${join(root, 'notes.md')}] }`;
  await write({
    'agent/agent.yml': `${one('${{dexto.agent_dir}}/one.ts')}systemPrompt: { contributors: [${prompt}] }\n`,
    'agent/one.ts': `import { word } from '../word.ts';\nexport default class { ${shape} word = word; }\n`,
    'notes.md': 'Private.',
    'word.ts': "export const word = 'private';\n",
  });
  expect((await bundle()).warnings).toEqual([]);
  const { warnings } = await bundle([join(root, 'agent')]);
  expect(warnings.map(({ code, source: path }) => `${code} ${String(path)}`)).toEqual([
    `bundle_stranger ${join(root, 'notes.md')}`,
    `bundle_stranger ${join(root, 'word.ts')}`,
  ]);
});
