// Builds everything that ships into dist/. `node esbuild.mjs [--watch]`
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build, context, transform } from 'esbuild';
import { buildAgentTypes, buildDextoTypes } from './scripts/buildDextoTypes.ts';
import { buildSdkTypes } from './scripts/buildSdkTypes.ts';
import {
  common,
  gatewayBundle,
  importMetaUrl,
  memoryWorkerBundle,
  pluginBundles,
  pluginIds,
} from './scripts/bundleOptions.ts';
import { libraryFiles } from './src/plugins/openclaw/libraryFiles.ts';

const isWatching = process.argv.includes('--watch');
const root = import.meta.dirname;
const dist = join(root, 'dist');

/**
 * One `require('vscode')` for the whole bundle, and the API object as it is. For an `import * as vscode` the bundler asks for it
 * in each file that has one, and copies its four hundred members each time, while the window starts.
 */
const oneVscode = {
  name: 'one-vscode',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]src[\\/]editor[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/^import \* as vscode from 'vscode';$/m, ''), loader: 'ts' };
    });
  },
};
const vscodeApi = 'const vscode = require("vscode");';

/** What plugins import without bringing it (docs/plugin-sdk.md): read only when one does. */
const bundlesOfLibraries = Object.entries(libraryFiles).map(([file, names]) => ({
  ...common,
  banner: {},
  define: {},
  sourcemap: false,
  stdin: {
    contents: names.map((name) => `exports['${name}'] = () => require('${name}');`).join('\n'),
    resolveDir: root,
  },
  outdir: undefined,
  outfile: `dist/plugin-sdk/libs/${file}.js`,
  plugins: [],
}));

/** The SDK for the tests of plugins, as a module of its own (docs/plugin-sdk.md). */
const sdkRuntime = {
  ...common,
  entryPoints: undefined,
  banner: {},
  define: {},
  sourcemap: false,
  format: 'esm',
  plugins: [],
  outdir: undefined,
};
const sdkRuntimeBundles = [
  {
    ...sdkRuntime,
    entryPoints: ['src/plugins/openclaw/sdkRuntime.ts'],
    outfile: 'dist/plugin-sdk/openclaw.mjs',
  },
  {
    ...sdkRuntime,
    stdin: { contents: "export { z } from 'zod';", resolveDir: root },
    outfile: 'dist/plugin-sdk/zod.mjs',
  },
];

/**
 * The bundler shares code between bundles as ES modules alone, and all else here is CommonJS, the entry that VS Code loads too: so each file
 * that it makes is translated.
 */
const toCommonJs = {
  name: 'to-common-js',
  setup(esbuild) {
    esbuild.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const { code, map } = await transform(text, {
          target: common.target,
          supported: common.supported,
          minify: true,
          format: 'cjs',
          platform: 'node',
          sourcesContent: false,
          banner: `${importMetaUrl}\n${vscodeApi}`,
          sourcemap: 'external',
          sourcefile: path,
        });
        await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
        await writeFile(`${path}.map`, map);
      }
    });
  },
};

/** What loads while the window starts, what loads later, and what both need: one copy of each file. */
const windowBundle = {
  ...common,
  entryPoints: { extension: 'src/editor/extension.ts', onDemand: 'src/editor/onDemand.ts' },
  format: 'esm',
  splitting: true,
  chunkNames: 'shared',
  banner: {},
  sourcemap: 'inline',
  write: false,
  // Names cost a call for every function while the file loads: half of that time.
  keepNames: false,
  plugins: [...common.plugins, oneVscode, toCommonJs],
};

const bundles = [
  ...pluginBundles,
  ...bundlesOfLibraries,
  ...sdkRuntimeBundles,
  windowBundle,
  { ...common, entryPoints: { runtime: 'src/runtime/index.ts' } },
  { ...common, entryPoints: { htmlToMarkdown: 'src/tools/core/web/htmlToMarkdown.ts' } },
  { ...common, entryPoints: { cronTimes: 'src/schedule/cronTimes.ts' } },
  { ...common, entryPoints: { models: 'src/models/library/protocols.ts' } },
  { ...common, entryPoints: { mcp: 'src/mcp/connection/index.ts' } },
  { ...common, entryPoints: { mcpServer: 'src/mcp/server/index.ts' } },
  // Both look for what they can do without: PostgreSQL's own C library, and a platform that is not Node.
  {
    ...common,
    entryPoints: { storage: 'src/dexto/storage/lazyBackends.ts' },
    external: [...common.external, 'pg-native', 'cloudflare:sockets'],
  },
  memoryWorkerBundle,
  gatewayBundle,
  // They run in pages, not in Node.
  {
    ...common,
    entryPoints: {
      'webview/configForm': 'src/editor/configForm/page.ts',
      'webview/lastRun': 'src/editor/runs/runPage.ts',
      'webview/chat': 'src/editor/chatView/page/chatPage.ts',
      'webview/colourCode': 'src/editor/chatView/page/highlight/colourCode.ts',
      'webview/remoteChat': 'src/editor/gateway/page/remotePage.ts',
    },
    platform: 'browser',
    format: 'iife',
    banner: {},
    define: {},
    external: [],
    plugins: [],
  },
  {
    ...common,
    entryPoints: { cli: 'src/cli/main.ts' },
    banner: { js: `#!/usr/bin/env node\n${importMetaUrl}` },
  },
  { ...common, entryPoints: { agent: 'src/cli/agentPackage.ts' } },
];

async function copyAssets() {
  const jiti = join(root, 'node_modules', 'jiti');
  for (const file of ['lib/jiti.cjs', 'dist/jiti.cjs', 'dist/babel.cjs', 'LICENSE']) {
    await cp(join(jiti, file), join(dist, 'jiti', file));
  }
  await writeFile(join(dist, 'jiti', 'package.json'), '{ "name": "jiti", "type": "commonjs" }\n');
  await cp(join(root, 'node_modules', 'sql.js', 'dist', 'sql-wasm.wasm'), join(dist, 'sql-wasm.wasm'));
  for (const id of pluginIds) {
    await cp(
      join(root, 'plugins', id, 'openclaw.plugin.json'),
      join(dist, 'plugins', id, 'openclaw.plugin.json'),
    );
  }
}

/** What a plugin author points the compiler at, and the package that tests run with. */
async function writeSdkTypes() {
  await mkdir(join(dist, 'plugin-sdk'), { recursive: true });
  await writeFile(join(dist, 'plugin-sdk', 'openclaw.d.ts'), buildSdkTypes(root));
  await writeFile(join(dist, 'plugin-sdk', 'dexto-core.d.ts'), buildDextoTypes(root));
  await writeFile(join(dist, 'agent.d.ts'), buildAgentTypes(root));
  // As a package, for the tests of plugins: every subpath is the one module, which holds all of them.
  const modules = {
    name: 'openclaw',
    private: true,
    type: 'module',
    exports: {
      './package.json': './package.json',
      '.': './openclaw.mjs',
      './plugin-sdk/zod': './zod.mjs',
      './*': './openclaw.mjs',
    },
  };
  await writeFile(join(dist, 'plugin-sdk', 'package.json'), `${JSON.stringify(modules, undefined, 2)}\n`);
  // What the host requires beside it is CommonJS.
  await writeFile(join(dist, 'plugin-sdk', 'libs', 'package.json'), '{ "type": "commonjs" }\n');
}

/** Every package whose code ships, with its licence text; made from what the bundler really took in. */
async function writeNotices(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = new Set(['jiti']);
  for (const input of inputs) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
    if (name !== undefined) packages.add(name);
  }
  const notices = [...packages].sort().map(async (name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e(\.|$)/i.test(each));
    const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
    return `${name} ${version} (${license})${text}\n`;
  });
  const separator = `\n${'-'.repeat(80)}\n\n`;
  await writeFile(join(dist, 'ThirdPartyNotices.txt'), (await Promise.all(notices)).join(separator));
}

/** The JSON schemas that the contributions point to come from the zod schemas: one source. That of agent files is kept in the project. */
async function writeSchemas() {
  await mkdir(join(dist, 'schemas'), { recursive: true });
  const schemas = { 'config.schema.json': 'schema', 'plugin.schema.json': 'plugin-schema' };
  for (const [file, command] of Object.entries(schemas)) {
    const cli = [join(dist, 'cli.js'), 'config', command];
    const { stdout } = await promisify(execFile)(process.execPath, cli);
    await writeFile(join(dist, 'schemas', file), stdout);
  }
  await cp(join(root, 'schemas', 'agent.schema.json'), join(dist, 'schemas', 'agent.schema.json'));
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await writeNotices(await Promise.all(bundles.map((options) => build({ ...options, metafile: true }))));
await copyAssets();
await writeSdkTypes();
await writeSchemas();
if (isWatching) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  const sizes = await Promise.all(['extension.js', 'shared.js'].map((name) => stat(join(dist, name))));
  const atStart = sizes.reduce((sum, { size }) => sum + size, 0);
  console.log(`Built dist/ (a window starts with ${Math.round(atStart / 1000)} kB)`);
}
