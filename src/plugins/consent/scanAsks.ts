import { hookCatalog, hookNames } from '../../hooks/hookCatalog.ts';
import type { PluginAsks, PluginManifest } from '../pluginTypes.ts';
import type { PluginFile } from './readPluginFiles.ts';

const codeFile = /\.[cm]?[jt]sx?$/u;
/** Declarations name every hook there is. */
const declarations = /\.d\.[cm]?ts$/u;
const packages = /(?:^|\/)node_modules\//u;

/** Of the plugin's own code; more is not looked at. */
const maxBytes = 5_000_000;

const reaches = {
  files: /['"](?:node:)?fs(?:\/promises)?['"]/u,
  processes: /['"](?:node:)?(?:child_process|worker_threads|cluster)['"]/u,
  network: /\bfetch\s*\(|\bWebSocket\b|['"](?:node:)?(?:https?|net|tls|dgram|http2)['"]/u,
} as const;

/**
 * What a plugin is going to do, read from its text without running it. A help for the person who decides, no proof: code
 * can hide what it does. Pure.
 */
export function scanAsks(
  files: readonly PluginFile[],
  manifest: Pick<PluginManifest, 'contractTools'>,
): PluginAsks {
  const { text, isWhole } = ownCode(files);
  const quoted = new Set(
    [...text.matchAll(/['"`](?<name>[a-z][a-z_]{3,40})['"`]/gu)].map((hit) => hit.groups?.['name']),
  );
  const hooks = hookNames.filter((name) => quoted.has(name));
  return {
    hooks,
    tools: [...new Set([...manifest.contractTools, ...registeredNames(text)])],
    conversation: hooks.some((name) => hookCatalog[name].gate === 'conversation'),
    // What was not read may do anything.
    reaches: (['files', 'processes', 'network'] as const).filter(
      (what) => !isWhole || reaches[what].test(text),
    ),
  };
}

function ownCode(files: readonly PluginFile[]): { readonly text: string; readonly isWhole: boolean } {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let room = maxBytes;
  for (const file of files) {
    const { path, kind } = file;
    if (kind !== 'file' || !codeFile.test(path) || declarations.test(path) || packages.test(path)) continue;
    if (room > 0) texts.push(decoder.decode(file.content.subarray(0, room)));
    room -= file.content.byteLength;
  }
  return { text: texts.join('\n'), isWhole: room >= 0 };
}

/** Names in literal `registerTool({ name: '…' })` calls. Each run has a limit: without one, text can be made to take minutes. */
function registeredNames(text: string): readonly string[] {
  const calls = text.matchAll(
    /registerTool\(\s{0,40}(?:\([^)]{0,200}\)\s{0,9}=>\s{0,9}\(?)?\{\s{0,40}name:\s{0,9}['"](?<name>[\w-]{1,64})['"]/gu,
  );
  return [...calls].flatMap((hit) => hit.groups?.['name'] ?? []);
}
