import type { Params } from '../contracts/json.ts';
import type { HandlerContext, HandlerEvent, HookName, HookResult } from '../hooks/hookTypes.ts';

/** What a plugin's `register` gets. Names and shapes are OpenClaw's, so that its plugins run unmodified. */
export interface OpenClawPluginApi {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Absolute path of the plugin's entry file. */
  readonly source: string;
  readonly rootDir: string;
  /** The host's configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The plugin's own settings, checked against its manifest's `configSchema`, defaults filled in. */
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly logger: PluginLogger;
  readonly runtime: Readonly<Record<string, unknown>>;

  /** Adds a tool that the model can call; a factory is asked once for each session and may return none. */
  registerTool(tool: PluginTool | PluginToolFactory, options?: PluginToolOptions): void;
  /** Adds a slash command. */
  registerCommand(command: PluginCommandDefinition): void;
  /** Listens to a hook. Higher priorities run first; default 0. */
  on<N extends HookName>(hook: N, handler: PluginHookHandler<N>, options?: PluginHookOptions): void;
  /** Adds something that runs while the plugin is loaded. */
  registerService(service: PluginService): void;
  registerHook(
    events: string | readonly string[],
    handler: (event: unknown) => unknown,
    options?: object,
  ): void;
  registerHttpHandler(handler: (...args: readonly never[]) => unknown): void;
  registerHttpRoute(route: {
    readonly path: string;
    readonly handler: (...args: readonly never[]) => unknown;
  }): void;
  registerChannel(channel: object): void;
  registerGatewayMethod(method: string, handler: (...args: readonly never[]) => unknown): void;
  registerCli(
    registrar: (...args: readonly never[]) => unknown,
    options?: { readonly commands?: readonly string[] },
  ): void;
  registerProvider(provider: object): void;
  /** An absolute path: `~` is the home folder, relative paths start at the workspace folder. */
  resolvePath(input: string): string;
}

export interface PluginLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

type MaybeNothing = null | undefined;

/** Handlers may be async, except for the two hooks that run while a message is stored. */
export type PluginHookHandler<N extends HookName> = (
  event: HandlerEvent<N>,
  context: HandlerContext<N>,
) => HookResult<N> | MaybeNothing | Promise<HookResult<N> | MaybeNothing>;

export interface PluginHookOptions {
  readonly priority?: number;
  /** Milliseconds, at most 600 000. */
  readonly timeoutMs?: number;
}

export interface PluginToolResult {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  )[];
  /** For people and plugins; the model does not see it. */
  readonly details?: unknown;
}

export interface PluginTool {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: object;
  execute(
    toolCallId: string,
    params: Params,
    signal?: AbortSignal,
    onUpdate?: (partial: PluginToolResult) => void,
  ): PluginToolResult | Promise<PluginToolResult>;
}

export interface PluginToolOptions {
  readonly name?: string;
  readonly names?: readonly string[];
  /** Hidden unless the user allow-lists it. */
  readonly optional?: boolean;
}

/** What a tool factory is told of the session it makes tools for. */
export interface PluginToolContext {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly workspaceDir?: string;
  readonly agentDir?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly messageChannel?: string;
  readonly agentAccountId?: string;
  readonly sandboxed?: boolean;
}

export type PluginToolFactory = (
  context: PluginToolContext,
) => PluginTool | readonly PluginTool[] | MaybeNothing;

export interface PluginCommandDefinition {
  readonly name: string;
  readonly description?: string;
  /** Without it the command matches only where nothing follows its name. */
  readonly acceptsArgs?: boolean;
  readonly requireAuth?: boolean;
  handler(context: PluginCommandContext): PluginCommandReply | Promise<PluginCommandReply>;
}

export interface PluginCommandContext {
  readonly args?: string;
  readonly commandBody: string;
  readonly channel: string;
  readonly senderId?: string;
  readonly isAuthorizedSender: boolean;
  readonly sessionKey?: string;
  readonly workspaceDir?: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export type PluginCommandReply = string | { readonly text?: string } | MaybeNothing;

export interface PluginServiceContext {
  readonly config: Readonly<Record<string, unknown>>;
  readonly workspaceDir?: string;
  /** A folder of the plugin's own, outside the workspace. */
  readonly stateDir: string;
  readonly logger: PluginLogger;
}

export interface PluginService {
  readonly id: string;
  start(context: PluginServiceContext): unknown;
  stop?(context: PluginServiceContext): unknown;
}

/** What a plugin module exports: this object, or its `register` alone. */
export interface PluginDefinition {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly kind?: string | readonly string[];
  register?(api: OpenClawPluginApi): unknown;
  activate?(api: OpenClawPluginApi): unknown;
}
