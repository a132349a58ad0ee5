import { mkdirSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { PincerError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type {
  CompletionRequest,
  CompletionResult,
  OpenClawConfig,
  PluginLogger,
  RunCommandOptions,
  MemorySearchManagerResult,
  PluginTool,
} from '../../../sdk/types.ts';
import type { Clock } from '../../../host/ports.ts';
import type { ImageReader } from '../../../tools/core/image.ts';
import { imageTypeOf } from '../../../tools/core/imageTypeOf.ts';
import { absentRuntime } from '../../listed/listedMethods.ts';
import { missingSymbol } from '../missingSymbol.ts';
import { openClawVersion } from '../openClawVersion.ts';
import { agentRunMembers, subagentMembers, type AgentMembersParts } from './agentMembers.ts';
import { mkdir, open } from 'node:fs/promises';
import { mediaMembers } from './mediaMembers.ts';
import type { PluginMemory } from './pluginMemory.ts';
import { storeMembers } from './pluginStores.ts';
import { webSearchMembers, type PluginWebSearch } from './webSearchMembers.ts';
import { runCommand, type RunCommand } from './runCommand.ts';
import type { AgentTool } from '../../../contracts/tool.ts';
import type { MemoryTools } from '../../../tools/core/memory/createMemoryTools.ts';
import { createPathJudge } from '../../../tools/paths/createPathJudge.ts';
import { toHostTool } from '../../tools/hostTool.ts';
import { createMemorySearchManager } from './createMemorySearchManager.ts';

/** What `api.runtime` is made from. Ports that are absent make their methods throw an error that says so. */
export interface ApiRuntimeParts extends AgentMembersParts {
  /** The host's configuration as it is now. */
  readonly currentConfig: () => OpenClawConfig;
  readonly events: Readonly<
    Record<'onAgentEvent' | 'onSessionTranscriptUpdate', (listener: unknown) => () => void>
  >;
  readonly enqueueSystemEvent: (text: unknown, options: unknown) => boolean;
  /** Heartbeat turns: `request` tells of a refusal by a diagnostic. */
  readonly heartbeat: { readonly request: () => void; readonly runOnce: () => Promise<unknown> };
  readonly clock: Clock;
  /** The plugin has looked for a member that is not here. */
  readonly noteAbsent: (member: string, lost: string) => void;
  /** The plugin has called a member that has no effect here. */
  readonly noteIdle: (member: string, lost: string) => void;
  /** A folder of the plugin's own, outside the workspace. */
  readonly stateDir: string;
  readonly homeDir: string;
  /** The first folder that is open now. */
  readonly workspaceDir: () => string | undefined;
  readonly logger: PluginLogger;
  /** Default: a program of this machine, without a shell. */
  readonly runCommand?: RunCommand;
  /** Asks the model that the user has chosen. */
  readonly complete?: (request: CompletionRequest) => Promise<CompletionResult>;
  /** Asks the user's model for images. */
  readonly describeImage?: ImageReader['describe'];
  /** Searches the web by the service of the user's config; absent, there is no `api.runtime.webSearch`. */
  readonly webSearch?: PluginWebSearch;
  /** `api.runtime.channel`; absent, there is none. */
  readonly channels?: (pluginId: string) => Members;
  /** Absent, plugins are told that there is none. */
  readonly memory?: PluginMemory;
}

/** What upstream's plugins ask for before they run an agent: as long as one turn may take by default. */
const agentTimeoutMs = 3_600_000;

/** Of one image, and of the answer about it. */
const maxImageBytes = 5_000_000;
const imageMs = 120_000;

type Members = Readonly<Record<string, unknown>>;

/** `api.runtime`. What upstream has and this has not is `undefined`, and looking for it is noted (`absentRuntime`). */
export function createApiRuntime(parts: ApiRuntimeParts): Members {
  const groups: Readonly<Record<string, Members>> = {
    config: configOf(parts),
    state: {
      resolveStateDir: () => made(parts.stateDir),
      ...storeMembers(parts),
      // To be passed on to `createChannelIngressMonitor`, which has no need of it: the host keeps the messages. Its use throws.
      openChannelIngressQueue: () =>
        missingSymbol('openChannelIngressQueue()', 'api.runtime.state', parts.pluginId),
    },
    events: parts.events,
    agent: agentOf(parts),
    subagent: subagentMembers(parts),
    system: {
      runCommandWithTimeout: runOf(parts),
      enqueueSystemEvent: parts.enqueueSystemEvent,
      requestHeartbeat: parts.heartbeat.request,
      requestHeartbeatNow: parts.heartbeat.request,
      runHeartbeatOnce: parts.heartbeat.runOnce,
      formatNativeDependencyHint: nativeDependencyHint,
    },
    llm: { complete: completeOf(parts) },
    media: mediaMembers(),
    mediaUnderstanding: { describeImageFile: describeImageFileOf(parts) },
    ...(parts.webSearch === undefined
      ? {}
      : { webSearch: webSearchMembers({ ...parts, webSearch: parts.webSearch }) }),
    tools: memoryToolMembers(parts),
    memory: memoryMembers(parts),
    ...(parts.channels === undefined ? {} : { channel: parts.channels(parts.pluginId) }),
    logging: { getChildLogger: childLogger(parts.logger), shouldLogVerbose: () => false },
  };
  const known = Object.entries(groups).map(([name, members]): [string, Members] => [
    name,
    notingAbsent(`${name}.`, members, parts),
  ]);
  return notingAbsent('', { version: openClawVersion, ...Object.fromEntries(known) }, parts);
}

/** The groups of a group, too: upstream's `channel` has some. */
function notingAbsent(path: string, given: Members, parts: ApiRuntimeParts): Members {
  const { noteAbsent } = parts;
  const members = Object.fromEntries(
    Object.entries(given).map(([name, member]) => [
      name,
      path !== '' && isRecord(member) ? notingAbsent(`${path}${name}.`, member, parts) : member,
    ]),
  );
  return new Proxy(members, {
    get(target, key) {
      const member = `${path}${String(key)}`;
      const lost = Object.hasOwn(absentRuntime, member) ? absentRuntime[member] : undefined;
      if (lost !== undefined && !Reflect.has(target, key)) noteAbsent(member, lost);
      return Reflect.get(target, key) as unknown;
    },
  });
}

function configOf({ currentConfig, pluginId, noteIdle }: ApiRuntimeParts): Members {
  const refuse = (member: string) => (): Promise<never> => {
    noteIdle(`config.${member}`, "the configuration is the user's; plugins only read it");
    return refused(
      'plugin_config_write_refused',
      `Plugin ${pluginId} wants to write the configuration. The configuration is the user's; plugins only read it.`,
      'Ask the user to change the setting, or keep state of your own in api.runtime.state.resolveStateDir().',
    );
  };
  return {
    loadConfig: currentConfig,
    current: currentConfig,
    writeConfigFile: refuse('writeConfigFile'),
    mutateConfigFile: refuse('mutateConfigFile'),
    replaceConfigFile: refuse('replaceConfigFile'),
  };
}

function agentOf(parts: ApiRuntimeParts): Members {
  const { agents, workspaceDir, homeDir, stateDir } = parts;
  return {
    resolveAgentWorkspaceDir: (_config?: unknown, agentId?: unknown) =>
      (typeof agentId === 'string' ? agents?.folderOf(agentId) : undefined) ?? workspaceDir() ?? homeDir,
    resolveAgentDir: () => agentDirOf(stateDir),
    resolveAgentTimeoutMs: () => agentTimeoutMs,
    resolveAgentIdentity: identityOf,
    ensureAgentWorkspace: ensureWorkspaceOf(parts),
    ...agentRunMembers(parts),
  };
}

/** What a config says of how an agent presents itself: upstream's `identity`, or else the name that the user gave it. */
function identityOf(config: unknown, agentId: unknown): unknown {
  const agents = isRecord(config) && isRecord(config['agents']) ? config['agents']['list'] : undefined;
  const list: readonly unknown[] = Array.isArray(agents) ? agents : [];
  const agent = list.find((each) => isRecord(each) && each['id'] === agentId);
  if (!isRecord(agent)) return undefined;
  const { identity, name } = agent;
  return identity ?? (typeof name === 'string' ? { name } : undefined);
}

/** Makes the folder. Upstream also writes files for agents to begin with into it; here what is in a workspace is the user's. */
function ensureWorkspaceOf({
  assertLoaded,
  noteIdle,
  workspaceDir,
  homeDir,
}: ApiRuntimeParts): Members[string] {
  return async (given: unknown) => {
    assertLoaded('runtime.agent.ensureAgentWorkspace');
    const { dir, ensureBootstrapFiles } = isRecord(given) ? given : {};
    if (ensureBootstrapFiles === true)
      noteIdle('agent.ensureAgentWorkspace', 'it makes the folder and writes no files into it');
    const root = workspaceDir() ?? homeDir;
    const folder = typeof dir === 'string' && dir.trim() !== '' ? resolve(root, dir) : root;
    await mkdir(folder, { recursive: true });
    return { dir: folder };
  };
}

/** What to do about a native add-on that is missing. Such add-ons load in other programs alone: a plugin may start one. */
function nativeDependencyHint(given: unknown): string {
  const { packageName, manager = 'pnpm', ...said } = isRecord(given) ? given : {};
  const [name, by] = [packageName, manager].map((each) => (typeof each === 'string' ? each : ''));
  const steps = [
    said['approveBuildsCommand'] ??
      (by === 'pnpm' ? `pnpm approve-builds (select ${name ?? ''})` : undefined),
    said['rebuildCommand'] ?? `${by ?? ''} rebuild ${name ?? ''}`,
    said['downloadCommand'],
  ].filter((step) => typeof step === 'string' && step !== '');
  return `Install ${name ?? ''} and rebuild its native module (${steps.join('; ')}).`;
}

function runOf(parts: ApiRuntimeParts): RunCommand {
  const run = parts.runCommand ?? runCommand;
  return async (argv: unknown, given: RunCommandOptions | number) => {
    parts.assertLoaded('runtime.system.runCommandWithTimeout');
    if (!Array.isArray(argv) || !argv.every((word) => typeof word === 'string') || argv.length === 0) {
      throw new TypeError(`runCommandWithTimeout needs a list of texts: the program and its arguments.`);
    }
    const options = typeof given === 'number' ? { timeoutMs: given } : given;
    return await run(argv, { cwd: parts.workspaceDir() ?? parts.homeDir, ...options });
  };
}

function completeOf({ complete, pluginId, assertLoaded }: ApiRuntimeParts): Members[string] {
  return async (request: CompletionRequest) => {
    assertLoaded('runtime.llm.complete');
    if (complete !== undefined) return await complete(request);
    return await refused(
      'plugin_model_missing',
      `Plugin ${pluginId} asks a model, and there is none for plugins here.`,
      'Choose a model in the chat, or do without api.runtime.llm.',
    );
  };
}

/** What the model of `agent.imageModel`, else the first one that reads images, says of an image file. */
function describeImageFileOf({ describeImage, pluginId, assertLoaded }: ApiRuntimeParts): Members[string] {
  return async (given: unknown) => {
    assertLoaded('runtime.mediaUnderstanding.describeImageFile');
    const { filePath, prompt = 'Describe the image.', timeoutMs } = isRecord(given) ? given : {};
    if (typeof filePath !== 'string' || typeof prompt !== 'string')
      throw new TypeError('describeImageFile needs filePath, the path of an image, and may have a prompt.');
    if (describeImage === undefined)
      return await refused(
        'plugin_model_missing',
        `Plugin ${pluginId} asks a model about an image, and there is none for plugins here.`,
        'Do without api.runtime.mediaUnderstanding.',
      );
    const bytes = await readSmallFile(filePath);
    const mimeType = imageTypeOf(bytes);
    if (mimeType === undefined)
      return await refused(
        'image_unknown',
        `${filePath} is not a PNG, JPEG, GIF or WebP image of at most ${String(maxImageBytes)} bytes.`,
        'Give the path of an image.',
      );
    const image = { type: 'image', data: bytes.toString('base64'), mimeType } as const;
    const signal = AbortSignal.timeout(typeof timeoutMs === 'number' && timeoutMs > 0 ? timeoutMs : imageMs);
    const { text, model: name } = await describeImage({ prompt, images: [image], signal });
    const [provider, ...model] = name.split('/');
    return { text, provider, model: model.join('/') };
  };
}

/** Nothing of what is no file or larger than an image may be: a device has no size and no end, and opening a pipe would wait for who writes. */
async function readSmallFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    const isSmall = found.isFile() && found.size <= maxImageBytes;
    return isSmall ? await file.readFile() : Buffer.of();
  } finally {
    await file.close();
  }
}

function childLogger(logger: PluginLogger): (bindings?: Members) => PluginLogger {
  return (bindings = {}) => {
    const words = Object.values(bindings).filter((value) => typeof value === 'string');
    const name = words.length === 0 ? '' : `${words.join('/')}: `;
    return {
      debug: (message) => logger.debug(name + message),
      info: (message) => logger.info(name + message),
      warn: (message) => logger.warn(name + message),
      error: (message) => logger.error(name + message),
    };
  };
}

function refused(code: string, message: string, hint: string): Promise<never> {
  return Promise.reject(new PincerError(code, message, { hint }));
}

/** A folder for an agent's files, of the plugin's own. */
export function agentDirOf(stateDir: string): string {
  return made(join(stateDir, 'agent'));
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

interface MemoryMemberParts {
  readonly pluginId: string;
  readonly assertLoaded: (method: string) => void;
  /** The plugin has called a member that has no effect here. */
  readonly noteIdle: (member: string, lost: string) => void;
  readonly memory?: PluginMemory;
}

/** `api.runtime.tools`: the host's memory tools for a plugin to register; null where there is no memory (upstream's answer). */
function memoryToolMembers(parts: MemoryMemberParts): Members {
  const maker =
    (name: string, pick: (tools: MemoryTools) => AgentTool) =>
    (context?: unknown): PluginTool | null => {
      parts.assertLoaded(name);
      const { memory } = parts;
      return memory === undefined ? null : toolForPlugin(parts, memory, pick(memory.tools), context);
    };
  return {
    createMemorySearchTool: maker('runtime.tools.createMemorySearchTool', ({ search }) => search),
    createMemoryGetTool: maker('runtime.tools.createMemoryGetTool', ({ get }) => get),
    createMemoryAppendTool: maker('runtime.tools.createMemoryAppendTool', ({ append }) => append),
    registerMemoryCli: () =>
      parts.noteIdle('tools.registerMemoryCli', 'pincer memory is there whichever plugin has the slot'),
  };
}

/** `api.runtime.memory`: the memory for programs, by upstream's name. */
function memoryMembers(parts: MemoryMemberParts): Members {
  return {
    getActiveMemorySearchManager(): Promise<MemorySearchManagerResult> {
      const assertLoaded = (): void => parts.assertLoaded('runtime.memory.getActiveMemorySearchManager');
      assertLoaded();
      const { memory } = parts;
      if (memory === undefined) return Promise.resolve({ manager: null, error: 'there is no memory here' });
      const reader = toolForPlugin(parts, memory, memory.tools.get, undefined);
      return Promise.resolve({ manager: createMemorySearchManager(memory, reader, assertLoaded) });
    },
  };
}

function toolForPlugin(
  { pluginId, assertLoaded }: MemoryMemberParts,
  memory: PluginMemory,
  tool: AgentTool,
  context: unknown,
): PluginTool {
  return toHostTool(tool, {
    pluginId,
    sessionKey: sessionKeyOf(context),
    judgePath: () => createPathJudge(memory.layout()),
    assertLoaded: () => assertLoaded(tool.name),
  });
}

/** Upstream's contexts carry it under either name. */
function sessionKeyOf(context: unknown): string {
  const key = isRecord(context) ? (context['agentSessionKey'] ?? context['sessionKey']) : undefined;
  return typeof key === 'string' ? key : '';
}
