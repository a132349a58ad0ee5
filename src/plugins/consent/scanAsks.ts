import { hookCatalog, hookNames } from '../../hooks/hookCatalog.ts';
import type { PluginAsks, PluginManifest } from '../pluginTypes.ts';
import { ownCode, packageCode } from './ownCode.ts';
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
  const brought = packageCode(files);
  const quoted = new Set(
    [...text.matchAll(/['"`](?<name>[a-z][a-z_]{3,40})['"`]/gu)].map((hit) => hit.groups?.['name']),
  );
  const hooks = hookNames.filter((name) => quoted.has(name));
  const isMuch = !isWhole || !brought.isWhole;
  return {
    hooks,
    tools: [...new Set([...manifest.contractTools, ...registeredNames(text)])],
    conversation: hooks.some((name) => hookCatalog[name].gate === 'conversation'),
    // What was not read may do anything.
    reaches: (['files', 'processes', 'network'] as const).filter(
      (what) => isMuch || reaches[what].test(text) || reaches[what].test(brought.text),
    ),
    programs: [...new Set([...text.matchAll(started)].flatMap((hit) => hit.groups?.['program'] ?? []))],
    natives: files.flatMap(({ path }) => (path.endsWith('.node') ? [path] : [])),
    packages: [...new Set(files.flatMap(({ path }) => packageName.exec(path)?.groups?.['name'] ?? []))],
    unread: [...(isMuch ? ['much' as const] : []), ...(computed.test(text) ? ['computed' as const] : [])],
  };
}

/** The first word of a literal command; `exec` of a pattern is none. */
const started =
  /(?:\b(?:spawn|execFile|fork|execa)|(?<![.\w])exec|\b(?:child_process|childProcess|cp)\.exec)(?:Sync)?\s{0,9}\(\s{0,40}['"`](?<program>[^'"`\s$]{1,80})/gu;
/** Of the package nearest to the plugin. */
const packageName = /^node_modules\/(?<name>(?:@[^/]+\/)?[^./][^/]*)\//u;
/** Code from a text, a module by a name that is no literal, the parts of Node that load code by themselves. */
const computed =
  /\beval\s{0,9}\(|\bnew\s{1,9}Function\b|\b(?:import|require)\s{0,9}\(\s{0,40}(?:[^'"`\s)]|`[^`]{0,200}\$\{)|\bgetBuiltinModule\b|\b_load\b|\bdlopen\b|['"](?:node:)?(?:vm|worker_threads|inspector)['"]/u;

/** Names in literal `registerTool({ name: '…' })` calls. Each run has a limit: without one, text can be made to take minutes. */
function registeredNames(text: string): readonly string[] {
  const calls = text.matchAll(
    /registerTool\(\s{0,40}(?:\([^)]{0,200}\)\s{0,9}=>\s{0,9}\(?)?\{\s{0,40}name:\s{0,9}['"](?<name>[\w-]{1,64})['"]/gu,
  );
  return [...calls].flatMap((hit) => hit.groups?.['name'] ?? []);
}
