import { hookCatalog, hookNames } from '../../hooks/hookCatalog.ts';
import type { PluginAsks, PluginManifest } from '../pluginTypes.ts';
import { ownCode } from './ownCode.ts';
import type { PluginFile } from './readPluginFiles.ts';

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

/** Names in literal `registerTool({ name: '…' })` calls. Each run has a limit: without one, text can be made to take minutes. */
function registeredNames(text: string): readonly string[] {
  const calls = text.matchAll(
    /registerTool\(\s{0,40}(?:\([^)]{0,200}\)\s{0,9}=>\s{0,9}\(?)?\{\s{0,40}name:\s{0,9}['"](?<name>[\w-]{1,64})['"]/gu,
  );
  return [...calls].flatMap((hit) => hit.groups?.['name'] ?? []);
}
