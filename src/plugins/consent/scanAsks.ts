import { hookAliases, hookCatalog, hookNames } from '../../hooks/hookCatalog.ts';
import type { HookName } from '../../hooks/hookMap.ts';
import type { PluginAsks, PluginManifest, RegistrationKind } from '../pluginTypes.ts';
import { ownCode, packageCode } from './ownCode.ts';
import type { PluginFile } from './readPluginFiles.ts';
import { unseenCode } from './unseenCode.ts';

const reaches = {
  files: /['"`](?:(?:node:)?fs(?:\/promises)?|node:sqlite)['"`]/u,
  processes: /['"`](?:node:)?(?:child_process|worker_threads|cluster)['"`]/u,
  network:
    /\bfetch\s*\(|\bWebSocket\b|['"`](?:node:)?(?:https?|net|tls|dgram|http2|dns(?:\/promises)?)['"`]/u,
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
  const words = new Set(
    [...text.matchAll(/['"`](?<name>[a-z][a-z_]{3,40})['"`]/gu)].map((hit) => hit.groups?.['name']),
  );
  const hooks = hookNames.filter(
    (hook) => words.has(hook) || aliasesOf(hook).some((alias) => words.has(alias)),
  );
  const isMuch = !isWhole || !brought.isWhole;
  return {
    hooks,
    tools: [...new Set([...manifest.contractTools, ...toolNames(text)])],
    commands: [...new Set(commandNames(text))],
    registers: [...new Set(kindsByMethod.flatMap(([method, kind]) => (text.includes(method) ? [kind] : [])))],
    conversation: hooks.some((name) => hookCatalog[name].access === 'conversation'),
    // What was not read may do anything.
    reaches: (['files', 'processes', 'network'] as const).filter(
      (what) => isMuch || reaches[what].test(text) || reaches[what].test(brought.text),
    ),
    programs: [...new Set([...text.matchAll(started)].flatMap((hit) => hit.groups?.['program'] ?? []))],
    natives: files.flatMap(({ path }) => (path.endsWith('.node') ? [path] : [])),
    packages: [...new Set(files.flatMap(({ path }) => packageName.exec(path)?.groups?.['name'] ?? []))],
    unread: [...(isMuch ? ['much' as const] : []), ...(unseenCode.test(text) ? ['computed' as const] : [])],
  };
}

/** The first word of a literal command, the host's own function included; `exec` of a pattern is none. */
const started =
  /(?:(?:\b(?:spawn|execFile|fork|execa)|(?<![.\w])exec|\b(?:child_process|childProcess|cp)\.exec)(?:Sync)?\s{0,9}\(\s{0,40}['"`]|\brun(?:Plugin)?CommandWithTimeout\s{0,9}\(\s{0,40}(?:\{\s{0,40}argv\s{0,9}:\s{0,9})?\[\s{0,40}['"`])(?<program>[^'"`\s$]{1,80})/gu;
/** Of the package nearest to the plugin, wherever it lies in it; a file may stand for one. */
const packageName =
  /(?:^|\/)node_modules\/(?!\.bin\/)(?<name>(?:@[^/]+\/)?[^/]+)(?:\/|(?<=\.[cm]?[jt]sx?)$)/u;

function aliasesOf(hook: HookName): readonly string[] {
  return Object.entries(hookAliases).flatMap(([alias, meant]) => (meant === hook ? [alias] : []));
}

/** What has an effect by each method. Hooks and tools are shown by their names. */
const kindsByMethod: readonly (readonly [method: string, kind: RegistrationKind])[] = [
  ['registerCommand', 'command'],
  ['registerService', 'service'],
  ['registerCli', 'cli'],
  ['registerProvider', 'model provider'],
  ['registerWebSearchProvider', 'web search provider'],
  ['registerWebFetchProvider', 'web fetch provider'],
  ['registerCompactionProvider', 'compaction provider'],
  ['registerEmbeddingProvider', 'embedding provider'],
  ['registerMemoryEmbeddingProvider', 'embedding provider'],
  ['registerSpeechProvider', 'speech provider'],
  ['registerSessionExtension', 'session extension'],
  ['registerSessionAction', 'session action'],
  ['registerRuntimeLifecycle', 'lifecycle'],
  ['registerSessionSchedulerJob', 'lifecycle'],
  ['registerHook', 'internal hook'],
  ['registerAgentToolResultMiddleware', 'tool result middleware'],
  ['registerToolMetadata', 'tool metadata'],
  ['registerContextEngine', 'context engine'],
  ['registerMemoryCapability', 'memory capability'],
  ['registerMemoryPromptSection', 'memory capability'],
  ['registerMemoryFlushPlan', 'memory capability'],
  ['registerMemoryRuntime', 'memory capability'],
  ['registerMemoryPromptSupplement', 'memory prompt supplement'],
  ['registerMemoryPromptPreparation', 'memory prompt supplement'],
  ['registerMemoryCorpusSupplement', 'memory corpus supplement'],
  ['registerHttpRoute', 'http route'],
  ['registerHttpHandler', 'http handler'],
  ['registerGatewayMethod', 'gateway method'],
  ['registerChannel', 'channel'],
  // Upstream's entries register for the plugin.
  ['defineSingleProviderPluginEntry', 'model provider'],
  ['defineChannelPluginEntry', 'channel'],
  ['defineBundledChannelEntry', 'channel'],
];

/** What the scan tells apart by the method that takes it: `registerTool` or `registerCommand`. */
type NamedKind = 'Tool' | 'Command';

/** What an object has beside its name, where it is built away from the call that takes it. */
const marks: Readonly<Record<NamedKind, RegExp>> = {
  Tool: /\b(?:execute|parameters)\b/u,
  Command: /\bhandler\s{0,9}[:(,}]/u,
};

function toolNames(text: string): readonly string[] {
  if (!text.includes('registerTool')) return [];
  return [
    ...registeredNames(text, 'Tool'),
    ...[...text.matchAll(declared)].flatMap((hit) =>
      [...(hit.groups?.['list'] ?? '').matchAll(literals)].flatMap(({ groups }) => groups?.['literal'] ?? []),
    ),
  ];
}

function commandNames(text: string): readonly string[] {
  return text.includes('registerCommand') ? registeredNames(text, 'Command') : [];
}

/**
 * Names of what looks like a tool or a command: named in a call that registers one, or an object with a name and what such a thing
 * has. Each run has a limit: without one, text can be made to take minutes.
 */
function registeredNames(text: string, named: NamedKind): readonly string[] {
  const constants = new Map(
    [...text.matchAll(constant)].map((hit) => [hit.groups?.['constant'], hit.groups?.['text']]),
  );
  const calls = [...text.matchAll(registering)].map((hit) => ({ at: hit.index, method: hit[0] }));
  const names = [...text.matchAll(name)];
  let call = 0;
  return names.flatMap((hit, at) => {
    while ((calls[call + 1]?.at ?? Infinity) < hit.index) call += 1;
    const { literal, identifier } = hit.groups ?? {};
    const end = hit.index + hit[0].length;
    const rest = text.slice(end, Math.min(names[at + 1]?.index ?? text.length, end + reach));
    const { at: before = Infinity, method = '' } = calls[call] ?? {};
    const isArgument = method.endsWith(named) && before < hit.index && hit.index - before < reach;
    return isArgument || marks[named].test(rest) ? (literal ?? constants.get(identifier) ?? []) : [];
  });
}

const name =
  /\bname\s{0,9}[:=]\s{0,9}(?:['"`](?<literal>[\w-]{1,64})['"`](?!\s{0,9}\+)|(?<identifier>[A-Za-z_$][\w$]{0,60})\b)/gu;
const constant =
  /\b(?:const|let|var)\s{1,9}(?<constant>[A-Za-z_$][\w$]{0,60})\s{0,9}=\s{0,9}['"`](?<text>[\w-]{1,64})['"`]/gu;
const declared = /\bnames\s{0,9}:\s{0,9}\[(?<list>[^[\]]{0,2000})\]/gu;
const literals = /['"`](?<literal>[\w-]{1,64})['"`]/gu;
const registering = /\bregister[A-Z]\w{0,40}|\.on\b/gu;
/** How far from its call or its name the rest of a tool or command is looked for. */
const reach = 4_000;
