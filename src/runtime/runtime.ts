import type { Command } from 'commander';
import type { RunHandle } from '../agent/turn.ts';
import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { GrantStore } from '../approvals/createGrantStore.ts';
import type { ApprovalMode } from '../approvals/decideAsk.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { Channels } from '../channels/channels.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { McpServerConfig } from '../config/sections/mcpSection.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';
import type { ImagePart, TextPart } from '../contracts/message.ts';
import type { Model, ModelCost, ModelInfo, ModelRef, ModelSettings } from '../contracts/model.ts';
import type { Tenant } from '../contracts/tenant.ts';
import type { PluginNotification } from '../dexto/builtins/createNotifications.ts';
import type { DextoPlugins } from '../dexto/load/createDextoPlugins.ts';
import type { PointStop } from '../dexto/pointFacts.ts';
import type { GatewayStart } from '../gateway/createGateway.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ServerLimits } from '../gateway/gatewayProtocol.ts';
import type { McpTokenKeeper } from '../gateway/gatewayToken.ts';
import type { Attention, Host } from '../host/ports.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import type { FoundServers } from '../mcp/readServers.ts';
import type { ServedTool } from '../mcp/server/index.ts';
import type { Memory } from '../memory/memory.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { LocalServer } from '../models/discovery/discoverLocalServers.ts';
import type { ListedModel } from '../models/library/readModelList.ts';
import type { CommandAnswer } from '../plugins/commands/resolvePluginCommands.ts';
import type { OperatorHooks } from '../plugins/operatorHooks/createOperatorHooks.ts';
import type { Speech } from '../plugins/providers/createSpeech.ts';
import type { Jobs } from '../sandbox/createJobs.ts';
import type { Schedule } from '../schedule/schedule.ts';
import type { PluginSessionState } from '../sessions/pluginSessionState.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { ToolCatalog } from '../tools/catalog.ts';
import type { Ripgrep } from '../tools/core/createRipgrep.ts';
import type { ProblemSource } from '../tools/problemSource.ts';
import type { WorkspaceFiles } from '../tools/workspaceFiles.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { AddModelsInput } from './addModels.ts';
import type { Conversations } from './conversations.ts';
import type { CommandExplanation } from './explainCommand.ts';
import type { AllPlugins } from './joinDialects.ts';
import type { SignIns } from './pluginModels/createSignIns.ts';
import type { ServerInput } from './serverInput.ts';
import type { ModelTrial } from './testModel.ts';

/** What a front end brings; editor and CLI differ in nothing else. */
export interface RuntimeInput {
  readonly host: Host;
  /** `~/.pincer`, or what PINCER_HOME names: config, consents, grants, global plugins. */
  readonly home: string;
  /** Sessions and caches of this workspace. */
  readonly stateFolder: string;
  /** Absolute path of `dist/`: bundled plugins and the plugin SDK lie there. */
  readonly dist: string;
  /** What plugins see as the channel: `vscode` or `cli`. */
  readonly surface: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  readonly isTrusted: boolean;
  /** Chosen for this start, in place of the user's config; a workspace can still tighten it. */
  readonly approve?: ApprovalMode;
  /** False where no person can answer. */
  readonly canAsk: boolean;
  /** Absent, somebody always looks. */
  readonly attention?: Attention;
  /** A bundle of `pincer bundle` that the user names: it stands in for every agent file. Absolute path. */
  readonly bundle?: string;
  /** An agent file that the user names, in place of that of the config or the workspace. Absolute path. */
  readonly agentFile?: string;
  /** The surface's own slash commands, which plugins can't take. */
  readonly reservedCommands: readonly string[];
  /** How tools reach files; the editor's knows unsaved documents. */
  readonly files: WorkspaceFiles;
  /** What an editor's language services find wrong; the command line has none. */
  readonly problems?: ProblemSource;
  /** The editor's ripgrep, where it ships one. */
  readonly ripgrep?: Ripgrep;
  /** Globs of a folder's own settings for the memory; the command line has none. */
  readonly memoryGlobs?: (folder: string) => {
    /** In place of the config's. */
    readonly include?: readonly string[];
    readonly exclude: readonly string[];
  };
  /** The memory's program and its database engine, where they do not lie in `dist`. */
  readonly memoryFiles?: { readonly workerFile: string; readonly wasmFile: string };
  /** How the gateway (docs/gateway.md) is run here. */
  readonly gateway?: {
    /** Default: one of the secrets, made at the first need. */
    readonly token?: () => string | Promise<string>;
    /** Default: one of the secrets, made when the user asks for it. */
    readonly mcpToken?: McpTokenKeeper;
    /** What starts it besides the user's command. Default: `nothing`. */
    readonly startsBy?: GatewayStart;
    /** Its thread's program, where that does not lie in `dist`; absolute. */
    readonly threadFile?: string;
    readonly limits?: Partial<ServerLimits>;
  };
  /** A link that the surface opens at a line (1-based). */
  readonly fileLink: (path: string, line?: number) => string;
}

export interface RunRequest {
  readonly session: Session;
  readonly prompt: string;
  readonly attachments: readonly (TextPart | ImagePart)[];
  /** Absolute paths of the files and folders among them: rules of their folders go into the prompt. */
  readonly attachedPaths?: readonly string[];
  readonly model: Model;
  /**
   * On whose behalf. Default: the tenant of the code that calls, else the session's, else the config's. A session of another tenant
   * is refused (`tenant_mismatch`).
   */
  readonly tenant?: Tenant;
  /** In place of the session's and the agent's, for this turn. */
  readonly settings?: ModelSettings;
  /** When the message came, by `Clock.monotonic`: a `catchUp()` since then has found all that was saved before. Default: now. */
  readonly receivedAt?: number;
  /** True once the surface has something new from the user: the turn ends at the next steering point. */
  readonly shouldYield?: () => boolean;
  /** Gets the raw stream of each model call; must not throw. */
  readonly onRaw?: (chunk: string) => void;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
}

/** MCP servers: what they run and bring, and what of it the user agrees to. */
export interface McpService extends McpServers {
  /** The servers that a command line, an address, or the JSON of another client names. @throws PincerError `mcp_snippet_unknown` */
  readonly read: (text: string) => FoundServers;
  /** Writes a server into the user's config; gives the secrets that it wants and nobody has set. @throws PincerError `mcp_exists`, `config_syntax` */
  readonly add: (name: string, config: McpServerConfig) => Promise<readonly WantedSecret[]>;
  /** The tools that clients of other programs get, as config and policy leave them now. */
  readonly served: () => readonly ServedTool[];
  /** Ends a server and takes back what was agreed to; one of the user's config is taken out of it, with its secrets. */
  readonly remove: (name: string) => Promise<void>;
}

/** A secret by its name, and the variable or header that it is for. */
export interface WantedSecret {
  readonly variable: string;
  readonly secret: string;
}

/** A turn that runs. */
export interface StartedTurn extends RunHandle {
  /** The one that was given, or after a pause a fresh one (`session.reset` in the config). */
  readonly session: Session;
}

/** A plugin's command found in what the user typed. */
export interface FoundPluginCommand {
  readonly name: string;
  readonly pluginId: string;
  /** Gives what to show, and whether the agent goes on; never rejects. */
  run(session: Session): Promise<CommandAnswer>;
}

/** The folders that are open, the config that counts for them, and what is wrong there. */
export interface WorkspaceService {
  readonly home: string;
  /** Sessions, traces, snapshots and caches of this workspace. */
  readonly stateFolder: string;
  folders(): readonly string[];
  /** Every config file that counts, there or not. */
  configFiles(): readonly string[];
  /** Problems of config, plugins and grants. */
  diagnostics(): readonly Diagnostic[];
  /** Why no turn may begin: it is not known what the user forbids, or a guard is not there. */
  problem(): Diagnostic | undefined;
  /** Fires when plugins, models, problems or the number of running turns changed. */
  readonly onDidChange: Event<void>;
  /**
   * Folders were added or removed, or trust changed. What is lost is lost at once, and with trust the turns
   * that run are cancelled; what is new comes once no turn runs.
   */
  update(change: { readonly folders: readonly string[]; readonly isTrusted: boolean }): Promise<void>;
  /** The user's command: reads the config and loads every plugin again, once no turn runs. */
  reload(): Promise<void>;
  /** A config file was saved: reads it and loads what changed, once no turn runs. */
  reloadConfig(): Promise<void>;
  /**
   * Files of config, plugins or hooks may have changed on disk. Loads what has, once no turn runs. Every turn looks for itself as
   * well, so that none hangs on whoever calls this.
   */
  filesChanged(): Promise<void>;
  /** The same at once, and not at all while turns run; the memory looks, too. For what is decided before a turn, or without one. */
  catchUp(): Promise<void>;
  /**
   * `take` gives the plugin files that the user has saved by hand since it was last asked, absolute paths. It is asked whenever the
   * runtime looks, so that a save counts for the turn that follows it.
   */
  followSaves(take: () => Promise<readonly string[]>): Disposable;
  /**
   * Carries out what a diagnostic offers; `configure-plugin` is for the front end.
   * @throws PincerError `plugin_unknown`, `config_syntax`, `fix_not_here`
   */
  applyFix(fix: DiagnosticFix): Promise<void>;
}

/** The models that there are, and those that the user adds. */
export interface ModelService extends Omit<ModelRegistry, 'dispose'> {
  /** Signing in to the providers of plugins. */
  readonly signIns: SignIns;
  /** The config's default model; the built-in one where it names none, or one that is not there. */
  default(): Model;
  /**
   * The model that answers in a session where nothing else was asked for: the session's own, else that of the binding, of the
   * agent, of the config. @throws PincerError `model_unknown` where one of the first three names a model that is not there
   */
  forSession(session: Session): Model;
  /**
   * A model by what a command line says: `built-in`, `openai-compatible` (what PINCER_BASE_URL names, else the first such
   * model of the config), `provider/model`, or `replay:<file>` (relative to `folder`).
   * @throws PincerError `model_unknown`, `replay_invalid`
   */
  open(text: string, folder: string): Promise<Model>;
  /** The same model, each turn of it written as one line of a replay file. */
  record(model: Model, writeLine: (line: string) => Promise<void>): Model;
  /** Models that a server offers: the test of its address and key. @throws PincerError `model_*` */
  listOfServer(server: ServerInput, signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** Model servers on the usual ports of this machine; to be called when the user asks for them. */
  findLocalServers(signal: AbortSignal): Promise<readonly LocalServer<ListedModel>[]>;
  /** Asks a model of a server for one word. @throws PincerError `model_*` */
  tryOut(server: ServerInput, id: string, signal: AbortSignal): Promise<ModelTrial>;
  /**
   * Writes models into the user config, their key into the secrets, and makes the first the default; gives its name.
   * @throws PincerError `config_syntax`
   */
  add(input: AddModelsInput): Promise<string>;
  /** The models that the config names: those whose entries there can be edited. */
  configured(): readonly ModelInfo[];
  /**
   * Writes what a model of the user config costs; undefined where that is not known.
   * @throws PincerError `config_syntax`, `model_unknown`
   */
  setCost(model: ModelRef, cost: ModelCost | undefined): Promise<void>;
}

/** The plugins of both dialects and the operator hooks. */
export interface PluginService extends Pick<
  AllPlugins,
  | 'plugins'
  | 'hooks'
  | 'tools'
  | 'commands'
  | 'sessionExtensions'
  | 'runSessionAction'
  | 'configure'
  | 'revokeConsent'
  | 'changesOf'
> {
  /** The agent file. */
  readonly dexto: Pick<DextoPlugins, 'agentFile' | 'agentFilePath' | 'watches'>;
  /** Answers read aloud. */
  readonly speech: Speech;
  /** Folders with a HOOK.md. */
  readonly operatorHooks: OperatorHooks;
  /** What the built-in plugin `notifications` tells people. */
  readonly onDidNotify: Event<PluginNotification>;
  /** A plugin of the agent file stopped something, or failed. */
  readonly onDidStop: Event<PointStop>;
  /**
   * Switches a plugin; enabling one of the workspace is the user's consent to its present files.
   * `seenHash` is the hash of the files that the user was asked about, where there was a question.
   * @throws PincerError `plugin_unknown`, `config_syntax`, `plugin_changed` when the files are no longer those
   */
  setEnabled(id: string, isEnabled: boolean, seenHash?: string): Promise<void>;
  /**
   * Switches an operator hook in the user's config; enabling one of the workspace is the consent to its present files.
   * `seenHash` is the hash of the files that the user was asked about, where there was a question.
   * @throws PincerError `hook_unknown`, `hook_changed`, `config_syntax`
   */
  setHookEnabled(name: string, isEnabled: boolean, seenHash?: string): Promise<void>;
  /** Loads one plugin again from its files, once no turn runs; also one that was skipped because it hung. */
  reload(id: string): Promise<void>;
  /**
   * "I am developing this": from now on saving a file of this workspace plugin by hand is enough to run it. Of one
   * that is not enabled yet it holds once it is, whatever enables it.
   * @throws PincerError `plugin_unknown`
   */
  setDeveloping(id: string, developing: boolean): Promise<void>;
  /** The plugin's settings as the user wrote them: secrets are references, defaults are not filled in. */
  configOf(id: string): Readonly<Record<string, unknown>>;
  /**
   * Writes the plugin's settings into the user's config and loads it with them.
   * @throws PincerError `plugin_unknown`, `config_syntax`
   */
  setConfig(id: string, config: Readonly<Record<string, unknown>>): Promise<void>;
  /** The command of a plugin that `prompt` starts with, such as `/words notes.md`. */
  findCommand(prompt: string): FoundPluginCommand | undefined;
  /** Lets plugins add their commands to the `pincer` program; what was left out is named (OpenClaw plugin API, CLI Registration). */
  addCliCommands(program: Command): Promise<readonly Diagnostic[]>;
}

/** What waits for the user's answer, and what they have allowed for good. */
export interface ApprovalService extends ApprovalBroker {
  readonly grants: GrantStore;
}

/** The tools of a session, and the commands that they run. */
export interface ToolService {
  /** The tools a session has now, and which are hidden and why. */
  catalogFor(session: Session, model?: ModelRef): ToolCatalog;
  /** Commands that run or have run. */
  readonly jobs: Jobs;
  /** Where commands run now, or the end of a sentence that says why they can't. */
  commandPlace(): 'local' | 'sandbox' | { readonly unavailable: string };
  /** What would happen to a command if a model ran it now, and why. Runs nothing. */
  explainCommand(command: string): Promise<CommandExplanation>;
}

/** Sessions, and everything that is done with conversations besides asking. */
export interface ConversationService extends Conversations {
  readonly sessions: SessionStore;
  /** What plugins keep of sessions: the user sees it, changes it and clears it. */
  readonly pluginState: Pick<PluginSessionState, 'list' | 'patchSession'>;
  /**
   * Default: of the agent that the bindings name for this surface. It belongs to the tenant that the code runs for. `chatId`: of the
   * chat in which it comes in place of another session of the agent, whose key it gets.
   * @throws PincerError `agent_unknown`
   */
  create(agentId?: string, chatId?: string): Session;
  /**
   * The user starts over: operator hooks and plugins are told that this session has ended. Gives the texts that hooks have
   * for the user; they are untrusted. Default `new`. `next` comes instead.
   */
  reset(session: Session, action?: 'new' | 'reset', next?: Session): Promise<readonly string[]>;
  /**
   * Runs `work`, and everything that it waits for, on behalf of a tenant: sessions that it makes belong to it, and turns that it
   * starts run for it. Where the process has no async contexts, `RunRequest.tenant` says so.
   * @throws PincerError `tenant_invalid`
   */
  withTenant<T>(tenant: Tenant, work: () => T): T;
}

/** Turns, and what is kept of each. */
interface TurnService {
  /**
   * Starts a turn, with config, plugins and hooks as they are on disk then; beside a turn that runs, with those that are loaded.
   * @throws PincerError `agent_stopped` while `problem` gives one, `tenant_mismatch`
   */
  start(request: RunRequest): Promise<StartedTurn>;
  running(): number;
  /** What happened in each run: who did what, how long it took, what it changed. */
  readonly traces: RunTraces;
  /** What files held before turns changed them. */
  readonly checkpoints: Checkpoints;
}

/** The index over the workspace's markdown. */
interface MemoryService extends Memory {
  /** Settings of the memory that are not in the config have changed. */
  refresh(): void;
}

/**
 * Everything that lives as long as a window's workspace, or one call of the CLI: a service for each of its sides. What needs one or two
 * of them asks for those: `Pick<Runtime, 'models'>`.
 */
export interface Runtime extends Disposable {
  readonly host: Host;
  readonly workspace: WorkspaceService;
  readonly models: ModelService;
  readonly plugins: PluginService;
  readonly mcp: McpService;
  readonly approvals: ApprovalService;
  readonly tools: ToolService;
  readonly conversations: ConversationService;
  readonly turns: TurnService;
  readonly memory: MemoryService;
  readonly gateway: Gateway;
  /** Scheduled jobs. None starts by itself before `start`: who lets them run calls it once. */
  readonly schedule: Omit<Schedule, 'dispose' | 'reconcile'>;
  /** Message channels. None runs before `start`: who lets them run calls it once. */
  readonly channels: Omit<Channels, 'dispose' | 'stop'>;
  /** Cancels turns, then ends sessions and services; resolves within 5 s whatever plugins do. Once is enough. */
  stop(reason: 'shutdown' | 'restart'): Promise<void>;
}
