import { hookCatalog, hookNames } from '../../hooks/hookCatalog.ts';
import type { PluginAsks, PluginManifest } from '../pluginTypes.ts';
import type { PluginFile } from './readPluginFiles.ts';

const codeFile = /\.[cm]?[jt]sx?$/u;
/** Declarations name every hook there is. */
const declarations = /\.d\.[cm]?ts$/u;
const packages = /(?:^|\/)node_modules\//u;

const reaches = {
  files: /['"](?:node:)?fs(?:\/promises)?['"]/u,
  processes: /['"](?:node:)?(?:child_process|worker_threads|cluster)['"]/u,
  network: /\bfetch\s*\(|\bWebSocket\b|['"](?:node:)?(?:https?|net|tls|dgram|http2)['"]/u,
} as const;

/**
 * What a plugin is going to do, read from its text without running it. A help for the person who decides, no proof: code
 * can hide what it does. Pure.
 */
export function scanAsks(files: readonly PluginFile[], manifest: PluginManifest): PluginAsks {
  const text = ownCode(files);
  const quoted = new Set(
    [...text.matchAll(/['"`](?<name>[a-z][a-z_]{3,40})['"`]/gu)].map((hit) => hit.groups?.['name']),
  );
  const hooks = hookNames.filter((name) => quoted.has(name));
  return {
    hooks,
    tools: [...new Set([...manifest.contractTools, ...registeredNames(text)])],
    conversation: hooks.some((name) => hookCatalog[name].gate === 'conversation'),
    reaches: (['files', 'processes', 'network'] as const).filter((what) => reaches[what].test(text)),
  };
}

function ownCode(files: readonly PluginFile[]): string {
  const decoder = new TextDecoder();
  return files
    .filter(({ path }) => codeFile.test(path) && !declarations.test(path) && !packages.test(path))
    .map((file) => (file.kind === 'file' ? decoder.decode(file.content) : ''))
    .join('\n');
}

/** Names in literal `registerTool({ name: '…' })` calls. */
function registeredNames(text: string): readonly string[] {
  const calls = text.matchAll(
    /registerTool\(\s*(?:\([^)]*\)\s*=>\s*\(?)?\{\s*name:\s*['"](?<name>[\w-]+)['"]/gu,
  );
  return [...calls].flatMap((hit) => hit.groups?.['name'] ?? []);
}
