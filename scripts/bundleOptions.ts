import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { projectRoot } from './projectRoot.ts';

/** What a bundle loads from another one, when it is first needed: the module that is imported, the bundle, and what that spares. */
const lazyModules: readonly (readonly [filter: RegExp, bundle: string, spared: string])[] = [
  [/\/runtime\/index\.ts$/, 'runtime', 'the start of a window'],
  [/\/onDemand\.ts$/, 'onDemand', 'the start of a window'],
  // The libraries of the wire protocols, until the first request to a server.
  [/^\.\/protocols\.ts$/, 'models', 'whoever talks to no server'],
  // The library of cron expressions, until the first job that has one.
  [/^\.\/cronTimes\.ts$/, 'cronTimes', 'whoever has no such job'],
  // The HTML parser, until the first page that is read as markdown.
  [/^\.\/htmlToMarkdown\.ts$/, 'htmlToMarkdown', 'whoever reads no page'],
  // The MCP library, until the first server starts.
  [/^\.\/connection\/index\.ts$/, 'mcp', 'whoever has no MCP server'],
  // The MCP library for servers, until somebody serves.
  [/\/mcp\/server\/index\.ts$/, 'mcpServer', 'whoever serves nothing'],
  // The libraries of PostgreSQL, Redis and SQLite, until a plugin first uses a storage that takes one.
  [/^\.\/lazyBackends\.ts$/, 'storage', 'whoever has no such plugin'],
];

/** A static import is a mistake that would pull the heavy half in at once, so only `import()` is redirected. */
const lazyBundles: Plugin = {
  name: 'lazy-bundles',
  setup(esbuild) {
    for (const [filter, bundle, spared] of lazyModules) {
      esbuild.onResolve({ filter }, ({ kind }) => {
        if (kind === 'dynamic-import') return { path: `./${bundle}.js`, external: true };
        if (kind === 'import-statement')
          return { errors: [{ text: `Import ${bundle} with import(): it must not burden ${spared}.` }] };
        return undefined;
      });
    }
    // jiti resolves its own files at run time, so it ships as files (docs/architecture.md, What loads when).
    esbuild.onResolve({ filter: /^jiti$/ }, () => ({ path: './jiti/lib/jiti.cjs', external: true }));
  },
};

/** zod brings its messages in every language, 267 kB of them in each bundle; ours are written in English. */
const englishMessages: Plugin = {
  name: 'english-messages',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      /[\\/]node_modules[\\/]zod[\\/]/.test(importer)
        ? { path: join(resolveDir, '../locales/en.js') }
        : undefined,
    );
  },
};

/** CommonJS has no `import.meta.url`. */
export const importMetaUrl = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';

/** Of every bundle; those that differ say so. */
export const common = {
  absWorkingDir: projectRoot,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  // jsonc-parser's CommonJS form loads its parts in a way no bundler sees.
  mainFields: ['module', 'main'],
  // `import()` of another bundle becomes a lazy `require`.
  // Every Node knows classes of characters; else the bundler compiles each pattern that has one while the file loads.
  supported: { 'dynamic-import': false, 'regexp-unicode-property-escapes': true },
  define: { 'import.meta.url': 'importMetaUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: importMetaUrl },
  minify: true,
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  external: ['vscode'],
  plugins: [lazyBundles, englishMessages],
} satisfies BuildOptions;

export const pluginIds: readonly string[] = readdirSync(join(projectRoot, 'plugins'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** A bundled plugin ships as one JavaScript file, so that loading it needs no transpiler. */
export const pluginBundles: readonly BuildOptions[] = pluginIds.map((id) => ({
  ...common,
  banner: {},
  define: {},
  sourcemap: false,
  entryPoints: { [`plugins/${id}/index`]: `plugins/${id}/index.ts` },
  external: ['openclaw/*', '@openclaw/*'],
}));

/** The gateway's thread, with the libraries of its server. */
export const gatewayBundle: BuildOptions = {
  ...common,
  entryPoints: { gateway: 'src/gateway/thread/gatewayThread.ts' },
  supported: { 'regexp-unicode-property-escapes': true },
  plugins: [],
};

/** A thread loads nothing of ours lazily, but it imports what the user installed, wherever that lies. */
export const memoryWorkerBundle: BuildOptions = {
  ...common,
  entryPoints: { memoryWorker: 'src/runtime/memoryWorker.ts' },
  supported: { 'regexp-unicode-property-escapes': true },
  // Names cost a call for every closure that is made, and searching makes many: about half of its time.
  keepNames: false,
  plugins: [],
};
