import type { OpenClawConfig } from './configTypes.ts';

/** A command that the user types in the chat as `/name …`. */
export interface PluginCommandDefinition {
  readonly name: string;
  readonly description?: string;
  /** Without it the command matches only where nothing follows its name. */
  readonly acceptsArgs?: boolean;
  readonly requireAuth?: boolean;
  handler(context: PluginCommandContext): PluginCommandReply | Promise<PluginCommandReply>;
}

export interface PluginCommandContext {
  /** What follows the name, at most 4096 characters. */
  readonly args?: string;
  /** The whole line as typed. */
  readonly commandBody: string;
  readonly channel: string;
  readonly senderId?: string;
  readonly isAuthorizedSender: boolean;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly workspaceDir?: string;
  readonly config: OpenClawConfig;
  /** Null: conversations are bound by the user's config alone. */
  getCurrentConversationBinding(): Promise<null>;
  requestConversationBinding(
    params?: unknown,
  ): Promise<{ readonly status: 'error'; readonly message: string }>;
  detachConversationBinding(): Promise<{ readonly removed: false }>;
}

/** `continueAgent`: a turn of the agent follows with the whole line as typed; the text, where there is one, is shown before. */
export type PluginCommandReply =
  string | { readonly text?: string; readonly continueAgent?: boolean } | null | undefined;
