import type { Params } from '../../contracts/jsonTypes.ts';
import type { OpenClawConfig } from './configTypes.ts';

/** What a tool gives back: `content` goes to the model, `details` to people and plugins. */
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
  /** What it throws is told to the model as the error of this call. `signal` fires when the call is cancelled. */
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
  readonly config?: OpenClawConfig;
  /** The same. */
  readonly runtimeConfig?: OpenClawConfig;
  /** As it is when it is called. */
  readonly getRuntimeConfig?: () => OpenClawConfig;
  readonly workspaceDir?: string;
  /** The folder that `api.runtime.agent.resolveAgentDir()` gives. */
  readonly agentDir?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly messageChannel?: string;
  /** The model that is about to be asked; absent where nobody asks one. */
  readonly activeModel?: { readonly provider: string; readonly modelId: string; readonly modelRef: string };
  /** The account of the channel whose message began the turn; absent for the user of this machine. */
  readonly agentAccountId?: string;
  /** Where the answer to that message goes. */
  readonly deliveryContext?: {
    readonly channel: string;
    readonly to: string;
    readonly accountId: string;
    readonly threadId?: string;
  };
  /** Who wrote that message. */
  readonly requesterSenderId?: string;
  /** True for the user of this machine, and for a sender that the user has let in as themselves. */
  readonly senderIsOwner?: boolean;
  readonly sandboxed?: boolean;
}

/** Asked once for each session; may return one tool, several or none. */
export type PluginToolFactory = (
  context: PluginToolContext,
) => PluginTool | readonly PluginTool[] | null | undefined;

/** A result of a tool as middleware gets it and gives it back. */
export interface ToolResultMiddlewareEvent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Params;
  readonly cwd?: string;
  readonly isError?: boolean;
  result: PluginToolResult;
}

/** Gives `{ result }`, or a promise of it, in place of the one in the event; nothing leaves it as it is. */
export type AgentToolResultMiddleware = (
  event: ToolResultMiddlewareEvent,
  context: {
    readonly runtime: 'openclaw' | 'codex';
    readonly agentId?: string;
    readonly sessionId?: string;
    readonly sessionKey?: string;
    readonly runId?: string;
  },
) => unknown;

export interface AgentToolResultMiddlewareOptions {
  /** Exact names of tools; absent, all. */
  readonly matcher?: readonly string[];
  readonly runtimes?: readonly ('openclaw' | 'codex')[];
}

export interface PluginToolMetadataRegistration {
  /** A tool of the same plugin. */
  readonly toolName: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly risk?: 'low' | 'medium' | 'high';
  readonly tags?: readonly string[];
}
