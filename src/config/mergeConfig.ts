import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ConfigFile } from './configSchema.ts';
import { agentSection, type AgentConfig } from './sections/agentSection.ts';
import { agentsSection, type AgentsConfig } from './sections/agentsSection.ts';
import { approvalsSection, type ApprovalsConfig } from './sections/approvalsSection.ts';
import { channelsSection, type ChannelsConfig } from './sections/channelsSection.ts';
import { checkpointsSection, type CheckpointsConfig } from './sections/checkpointsSection.ts';
import { dextoSection, type DextoConfig } from './sections/dextoSection.ts';
import { execSection, type ExecConfig } from './sections/execSection.ts';
import { gatewaySection, type GatewayConfig } from './sections/gatewaySection.ts';
import { mcpSection, type McpConfig } from './sections/mcpSection.ts';
import { memorySection, type MemoryConfig } from './sections/memorySection.ts';
import { sandboxSection, type SandboxConfig } from './sections/sandboxSection.ts';
import { scheduleSection, type ScheduleConfig } from './sections/scheduleSection.ts';
import { keysWhere, type IgnoredKey } from './sections/section.ts';
import { sessionSection, type SessionConfig } from './sections/sessionSection.ts';
import type { ToolPolicySource } from './sections/toolPolicySchema.ts';
import { messagesSection, type MessagesConfig } from './sections/messagesSection.ts';
import { ttsSection, type TtsConfig } from './sections/ttsSection.ts';
import { webSection, type WebConfig } from './sections/webSection.ts';

/** The config that inner code sees: every key there, every default applied. */
export interface PincerConfig {
  /** `built-in` or `provider/model`; undefined lets the front end choose. */
  readonly model: string | undefined;
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly agent: AgentConfig;
  readonly agents: AgentsConfig;
  readonly session: SessionConfig;
  /** The agent file, and on whose behalf turns run. */
  readonly dexto: DextoConfig;
  readonly tools: ToolsConfig;
  readonly sandbox: SandboxConfig;
  readonly approvals: ApprovalsConfig;
  readonly checkpoints: CheckpointsConfig;
  readonly memory: MemoryConfig;
  readonly mcp: McpConfig;
  /** Jobs that start by themselves. */
  readonly schedule: ScheduleConfig;
  /** Message channels. */
  readonly channels: ChannelsConfig;
  /** Reading answers aloud. */
  readonly messages: MessagesConfig;
  readonly tts: TtsConfig;
  /** The HTTP server. */
  readonly gateway: GatewayConfig;
  readonly plugins: PluginsConfig;
  readonly hooks: HooksConfig;
}

/** Operator hooks, `hooks.internal` in the file. */
export interface HooksConfig {
  /** False switches all off; undefined lets run what is named in `entries` or lies in `load`. */
  readonly enabled?: boolean | undefined;
  readonly entries: Readonly<Record<string, HookEntryConfig>>;
  readonly load: { readonly extraDirs: readonly string[] };
  /** What holds instead for hooks of the workspace: the user's settings, tightened by the workspace's. */
  readonly workspace?: Pick<HooksConfig, 'enabled' | 'entries'>;
  /** True while the user's own file can't be read: who knows what it forbids. */
  readonly unreadable?: boolean;
}

type InternalHooks = NonNullable<NonNullable<ConfigFile['hooks']>['internal']>;
export type HookEntryConfig = NonNullable<InternalHooks['entries']>[string];

export type ProviderConfig = NonNullable<NonNullable<ConfigFile['models']>['providers']>[string];
export type PluginEntryConfig = NonNullable<NonNullable<ConfigFile['plugins']>['entries']>[string];

export interface ToolsConfig {
  /** What each file says about which tools there are, the user's first; `planPolicyLayers` makes layers of it. */
  readonly policies: readonly ToolPolicySource[];
  readonly exec: ExecConfig;
  readonly web: WebConfig;
}

export interface PluginsConfig {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Ids of plugins without which no turn begins. */
  readonly required: readonly string[];
  readonly load: { readonly paths: readonly string[] };
  readonly slots: Readonly<Record<string, string>>;
  readonly entries: Readonly<Record<string, PluginEntryConfig>>;
  /** What holds instead for plugins of the workspace; absent where no workspace config says anything about plugins. */
  readonly workspace?: WorkspacePluginsConfig;
  /** True while the user's own file can't be read: who knows what it forbids. */
  readonly onlyBundled?: boolean;
}

/** The user's settings, tightened by the workspaces'. */
interface WorkspacePluginsConfig extends PluginSwitches {
  /** Ids that a workspace config itself denies or has an entry for. */
  readonly named: readonly string[];
}

export interface WorkspaceConfig {
  /** Absolute path of its file. */
  readonly source: string;
  readonly config: ConfigFile;
}

/**
 * Layers the workspace's files over the user's. Threat: a cloned repository ships its own `.pincer/config.jsonc`. So a
 * workspace can only tighten: it denies, disables, shortens and shrinks; whatever else it says is ignored with
 * a diagnostic. A guard that is switched off or gets other settings is no tightening either: what a workspace says about
 * plugins is kept apart and holds for the workspace's own plugins alone.
 */
export function mergeConfig(
  user: ConfigFile,
  workspaces: readonly WorkspaceConfig[],
): { readonly config: PincerConfig; readonly diagnostics: readonly Diagnostic[] } {
  const own = fromUser(user);
  const label = ({ source }: WorkspaceConfig): string =>
    workspaces.length > 1 ? `workspace config ${source}` : 'workspace config';
  const config = workspaces.reduce((merged, each) => tighten(merged, each.config, label(each)), own);
  return { config, diagnostics: workspaces.flatMap((each) => ignoredKeys(each, own)) };
}

/**
 * `holds` with what the `newer` config says of tools and plugins, as far as that takes away: so a denial counts while turns run that
 * began before it was written. What it allows waits until it is loaded. What the user's file says no more holds as its default: a list
 * that allowed something may have been taken out.
 */
export function forbidMore(holds: PincerConfig, newer: PincerConfig): PincerConfig {
  const { workspace } = holds.plugins;
  const ofWorkspace = switchOff(workspace ?? holds.plugins, newer.plugins.workspace ?? newer.plugins);
  return {
    ...holds,
    tools: tightenTools(
      holds.tools,
      newer.tools,
      newer.tools.policies.map((source) => ({
        ...source,
        label: `${source.label} as it was changed meanwhile`,
        isNewer: true,
      })),
    ),
    plugins: {
      ...holds.plugins,
      ...switchOff(holds.plugins, newer.plugins),
      workspace: { ...ofWorkspace, named: workspace?.named ?? [] },
    },
  };
}

function fromUser(user: ConfigFile): PincerConfig {
  return {
    model: user.model,
    providers: user.models?.providers ?? {},
    agent: agentSection.resolve(user.agent),
    agents: agentsSection.resolve(user),
    session: sessionSection.resolve(user.session),
    dexto: dextoSection.resolve(user.dexto),
    tools: {
      policies: [{ ...policySource(user, 'user config'), isUser: true }],
      exec: execSection.resolve(user.tools?.exec),
      web: webSection.resolve(user.tools?.web),
    },
    sandbox: sandboxSection.resolve(user.sandbox),
    approvals: approvalsSection.resolve(user.approvals),
    checkpoints: checkpointsSection.resolve(user.checkpoints),
    memory: memorySection.resolve(user.memory),
    mcp: mcpSection.resolve(user.mcp),
    schedule: scheduleSection.resolve(user.schedule),
    channels: channelsSection.resolve(user.channels),
    messages: messagesSection.resolve(user.messages),
    tts: ttsSection.resolve(user.tts),
    gateway: gatewaySection.resolve(user.gateway),
    plugins: {
      ...switchesOf(user.plugins),
      required: user.plugins?.required ?? [],
      load: { paths: user.plugins?.load?.paths ?? [] },
      slots: user.plugins?.slots ?? {},
      entries: user.plugins?.entries ?? {},
    },
    hooks: {
      enabled: user.hooks?.internal?.enabled,
      entries: user.hooks?.internal?.entries ?? {},
      load: { extraDirs: user.hooks?.internal?.load?.extraDirs ?? [] },
    },
  };
}

function tighten(base: PincerConfig, workspace: ConfigFile, label: string): PincerConfig {
  const { plugins, agent, approvals, sandbox } = workspace;
  return {
    ...base,
    agent: agentSection.tighten(base.agent, agent ?? {}),
    dexto: dextoSection.tighten(base.dexto, workspace.dexto ?? {}),
    tools: tightenTools(base.tools, workspace.tools ?? {}, [policySource(workspace, label)]),
    sandbox: sandboxSection.tighten(base.sandbox, sandbox ?? {}),
    approvals: approvalsSection.tighten(base.approvals, approvals ?? {}),
    memory: memorySection.tighten(base.memory, workspace.memory ?? {}),
    gateway: gatewaySection.tighten(base.gateway, workspace.gateway ?? {}),
    schedule: scheduleSection.tighten(base.schedule, workspace.schedule ?? {}),
    channels: channelsSection.tighten(base.channels, workspace.channels ?? {}),
    plugins:
      plugins === undefined
        ? base.plugins
        : { ...base.plugins, workspace: tightenPlugins(base.plugins, plugins) },
    hooks: tightenHooks(base.hooks, workspace.hooks?.internal),
  };
}

function tightenTools(
  base: ToolsConfig,
  said: Pick<NonNullable<ConfigFile['tools']>, 'exec' | 'web'> | ToolsConfig,
  policies: readonly ToolPolicySource[],
): ToolsConfig {
  return {
    policies: [...base.policies, ...policies],
    exec: execSection.tighten(base.exec, said.exec ?? {}),
    web: webSection.tighten(base.web, said.web ?? {}),
  };
}

function policySource({ tools, agents, groups }: ConfigFile, label: string): ToolPolicySource {
  return { label, tools: tools ?? {}, agents: agents ?? {}, groups: groups ?? {} };
}

/** A workspace can switch hooks off, its own alone. */
function tightenHooks(hooks: HooksConfig, said: InternalHooks | undefined): HooksConfig {
  if (said === undefined) return hooks;
  const base = hooks.workspace ?? hooks;
  const off = Object.entries(said.entries ?? {}).filter(([, { enabled }]) => enabled === false);
  const entries = Object.fromEntries(
    off.map(([name]) => [name, { ...base.entries[name], enabled: false }] as const),
  );
  return {
    ...hooks,
    workspace: {
      enabled: said.enabled === false ? false : base.enabled,
      entries: { ...base.entries, ...entries },
    },
  };
}

function tightenPlugins(
  plugins: PluginsConfig,
  said: NonNullable<ConfigFile['plugins']>,
): WorkspacePluginsConfig {
  const base = plugins.workspace ?? { ...plugins, named: [] };
  const { enabled, allow, deny } = switchesOf(said);
  const switched = switchOff(base, { enabled, allow, deny, entries: said.entries ?? {} });
  const entries = { ...switched.entries };
  for (const [id, entry] of Object.entries(said.entries ?? {})) {
    const known = entries[id] ?? {};
    entries[id] = {
      ...known,
      // A plugin's own settings may come from the workspace where the user set none: the plugin's schema checks them.
      ...(known.config === undefined && entry.config !== undefined ? { config: entry.config } : {}),
      hooks: {
        ...known.hooks,
        ...(entry.hooks?.allowConversationAccess === false ? { allowConversationAccess: false } : {}),
        ...(entry.hooks?.allowPromptInjection === false ? { allowPromptInjection: false } : {}),
      },
    };
  }
  return {
    ...switched,
    entries,
    named: [...new Set([...base.named, ...deny, ...Object.keys(said.entries ?? {})])],
  };
}

type PluginSwitches = Pick<PluginsConfig, 'enabled' | 'allow' | 'deny' | 'entries'>;

/** `base` without the plugins that `said` does not let run. */
function switchOff(base: PluginSwitches, said: PluginSwitches): PluginSwitches {
  const off = Object.entries(said.entries).filter(([, { enabled }]) => enabled === false);
  return {
    enabled: base.enabled && said.enabled,
    allow: narrowed(base.allow, said.allow),
    deny: [...base.deny, ...said.deny],
    entries: {
      ...base.entries,
      ...Object.fromEntries(off.map(([id]) => [id, { ...base.entries[id], enabled: false }] as const)),
    },
  };
}

/** OpenClaw plugin architecture writes the allow list as `plugins.enabled` and the deny list as `plugins.disabled`. */
function switchesOf(said: ConfigFile['plugins']): Pick<PluginsConfig, 'enabled' | 'allow' | 'deny'> {
  const { enabled, allow = [], deny = [], disabled = [] } = said ?? {};
  const listed = Array.isArray(enabled) ? enabled : [];
  return { enabled: enabled !== false, allow: [...allow, ...listed], deny: [...deny, ...disabled] };
}

/** Both lists must allow; an empty list allows everything, so an empty overlap needs an entry that matches nothing. */
export function narrowed(base: readonly string[], workspace: readonly string[]): readonly string[] {
  if (workspace.length === 0) return base;
  if (base.length === 0) return workspace;
  const both = base.filter((id) => workspace.includes(id));
  return both.length === 0 ? [''] : both;
}

/** What else a workspace's file can't set: what no section of its own reads. */
function ignoredElsewhere(config: ConfigFile): readonly IgnoredKey[] {
  const { model, models, plugins, hooks } = config;
  const entries = Object.values(plugins?.entries ?? {});
  const { enabled, load, entries: hookEntries = {} } = hooks?.internal ?? {};
  return keysWhere({
    model: model !== undefined,
    models: models !== undefined,
    'plugins.required': plugins?.required !== undefined,
    'plugins.load.paths': plugins?.load?.paths !== undefined,
    'hooks.internal.enabled':
      (enabled === true ||
        load !== undefined ||
        Object.values(hookEntries).some((entry) => entry.enabled === true || entry.env !== undefined)) &&
      ', env and load',
    'plugins.slots': plugins?.slots !== undefined,
    'plugins.entries.*.enabled': entries.some((entry) => entry.enabled === true) && ': true',
    'plugins.entries.*.hooks.allowConversationAccess':
      entries.some((entry) => entry.hooks?.allowConversationAccess === true) && ': true',
    'plugins.entries.*.hooks.allowPromptInjection':
      entries.some((entry) => entry.hooks?.allowPromptInjection === true) && ': true',
    'plugins.entries.*.hooks.timeoutMs':
      entries.some((entry) => entry.hooks?.timeoutMs !== undefined || entry.hooks?.timeouts !== undefined) &&
      ' and timeouts',
  });
}

function ignoredKeys({ source, config }: WorkspaceConfig, own: PincerConfig): readonly Diagnostic[] {
  const { tools, sandbox, approvals, checkpoints, memory, agent, session } = config;
  const keys = [
    ...ignoredElsewhere(config),
    ...execSection.ignored(tools?.exec ?? {}, own.tools.exec),
    ...webSection.ignored(tools?.web ?? {}, own.tools.web),
    ...sandboxSection.ignored(sandbox ?? {}, own.sandbox),
    ...approvalsSection.ignored(approvals ?? {}, own.approvals),
    ...checkpointsSection.ignored(checkpoints ?? {}, own.checkpoints),
    ...memorySection.ignored(memory ?? {}, own.memory),
    ...mcpSection.ignored(config.mcp ?? {}, own.mcp),
    ...scheduleSection.ignored(config.schedule ?? {}, own.schedule),
    ...channelsSection.ignored(config.channels ?? {}, own.channels),
    ...messagesSection.ignored(config.messages ?? {}, own.messages),
    ...ttsSection.ignored(config.tts ?? {}, own.tts),
    ...gatewaySection.ignored(config.gateway ?? {}, own.gateway),
    ...agentSection.ignored(agent ?? {}, own.agent),
    ...agentsSection.ignored(config, own.agents),
    ...sessionSection.ignored(session ?? {}, own.session),
    ...dextoSection.ignored(config.dexto ?? {}, own.dexto),
  ];
  return keys.map(({ path, text }) => ({
    level: 'warn',
    code: 'config_workspace_ignored',
    message: `${text} is ignored: a workspace config can only tighten.`,
    hint: 'Move it to your own config (Pincer: Open User Config).',
    source,
    key: path,
  }));
}
