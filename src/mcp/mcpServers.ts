import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { McpServerConfig } from '../config/sections/mcpSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { FileSystem } from '../host/ports.ts';
import type { ServerOffers } from './createServerOffers.ts';
import type { McpTool, ToolChanges } from './definitions.ts';
import type { AskPerson } from './serverQuestion.ts';
import type { Invalidation, Launch } from './launch.ts';

/** Where a server is named. */
export type ServerOrigin =
  /** In the user's own config. */
  | { readonly kind: 'user' }
  /** In a file of a workspace or an agent; absolute path. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'plugin'; readonly pluginId: string };

/** A server that somebody wants. */
export interface NamedServer {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly config: McpServerConfig;
}

/**
 * `off`: switched off. `new`: nobody has agreed to its start. `changed`: it would run something else than what was agreed to. `unlisted`:
 * its start was agreed to, none of its tools. `ready`: it starts with the first call. `stopped`: by the user; it starts with the next call. `starting`, `running`. `failed`: the last
 * start did, or the server has gone: the next call starts it again.
 */
export type ServerState =
  'off' | 'new' | 'changed' | 'unlisted' | 'ready' | 'stopped' | 'starting' | 'running' | 'failed';

/** A server as people see it in a list. */
export interface ServerView {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly isAddress: boolean;
  /** What it runs or where it is, on one line. */
  readonly target: string;
  /** Names of the secrets that it is given. */
  readonly secrets: readonly string[];
  readonly state: ServerState;
  /** Why it is not simply `ready` or `running`; a sentence. */
  readonly problem?: string;
  /** Those that were agreed to. */
  readonly tools: readonly ServerToolView[];
  /** Tools that it brings and nobody has agreed to. */
  readonly newTools: readonly string[];
  /** Tools that the person saw and kept from agents. */
  readonly leftOut: readonly string[];
  /** Tools that it defines otherwise than was agreed to, while it runs; `id` tells one change from the next. */
  readonly change?: { readonly tools: readonly string[]; readonly id: string };
}

export interface ServerToolView {
  /** The server's own name for it. */
  readonly name: string;
  /** The name that a model calls it by. */
  readonly toolName: string;
  readonly description: string;
  /** Why agents don't have it now, as the end of a sentence. */
  readonly withdrawn?: string;
}

/** All that a person decides about: first what a server runs, then what it brings. */
export interface Inspection {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly launch: Launch;
  /** To be handed to `agreeToStart`. */
  readonly launchHash: string;
  /** What looks wrong with the start, a sentence each. */
  readonly launchWarnings: readonly string[];
  /** How it differs from what was agreed to, none where only time has passed; undefined where nothing was agreed to, or it holds. */
  readonly launchChanges?: Invalidation;
  /** True where the start is agreed to as it is. */
  readonly mayStart: boolean;
  /** What it brings; undefined as long as it may not start. */
  readonly brings?: {
    readonly tools: readonly { readonly tool: McpTool; readonly warnings: readonly string[] }[];
    /** To be handed to `agreeToTools`. */
    readonly toolsHash: string;
    /** What was left out of the list and why. */
    readonly problems: readonly string[];
    /** Those that were agreed to before. */
    readonly agreed: readonly McpTool[];
    /** Names of those that the person has kept from agents. */
    readonly leftOut: readonly string[];
    /** How it differs from what was agreed to; undefined where nothing was. */
    readonly changes?: ToolChanges;
    /** True where all of it is agreed to. */
    readonly isAgreed: boolean;
  };
}

/** MCP servers of one window: what is agreed to, what runs, and their tools. */
export interface McpServers {
  list(): readonly ServerView[];
  /** The tools that were agreed to, from what was stored with the agreement: no server starts for it. */
  tools(): readonly AgentTool[];
  /** Those that the user left out, which nobody can call: who does is told why. */
  leftOut(): readonly AgentTool[];
  diagnostics(): readonly Diagnostic[];
  /** Takes over who is named now and what was agreed to, as `fs` reads it. Never starts anything. */
  refresh(fs?: FileSystem): Promise<void>;
  /**
   * Looks whether starts are as they were agreed to: of `invalidated` ones, such as a file that was put back, or of all that do not run. Never
   * starts anything.
   */
  look(which: 'invalidated' | 'all'): Promise<void>;
  /** What there is to decide. Starts the server where its start is agreed to. @throws PincerError `mcp_*` */
  inspect(name: string): Promise<Inspection>;
  /** @throws PincerError `mcp_changed_meanwhile` where it would run something else than what was seen */
  agreeToStart(name: string, launchHash: string): Promise<void>;
  /**
   * Agents get the tools that `chosen` names, by default all that were not left out before; the others are left out from now on.
   * @throws PincerError `mcp_changed_meanwhile` where it brings something else than what was seen
   */
  agreeToTools(name: string, toolsHash: string, chosen?: readonly string[]): Promise<void>;
  /** Ends it, and starts it anew. @throws PincerError `mcp_*` */
  restart(name: string): Promise<void>;
  /** Ends it; the next call starts it again. */
  stop(name: string): Promise<void>;
  /** Ends it and takes back what was agreed to. */
  forget(name: string): Promise<void>;
  /** The last lines that it wrote beside its answers, each behind `| `, and what Pincer saw of it. */
  log(name: string): readonly string[];
  readonly offers: ServerOffers;
  /** From now on `ask` asks people what servers want to know; the one that came last counts. */
  askBy(ask: AskPerson): Disposable;
  readonly onDidChange: Event<void>;
  /** Ends every server with all that it started. */
  close(): Promise<void>;
}
