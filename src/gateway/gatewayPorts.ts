import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { Event } from '../base/event.ts';
import type { ChannelView } from '../channels/channels.ts';
import type { AgentEvent, RunOutcome } from '../contracts/agentEvent.ts';
import type { JsonSchema, Params } from '../contracts/jsonTypes.ts';
import type {
  AgentMessage,
  ImagePart,
  StopReason,
  TokenUsage,
  ToolResultMessage,
} from '../contracts/message.ts';
import type { ModelSettings } from '../contracts/model.ts';
import type { ServedTool } from '../mcp/server/index.ts';
import type { ExtensionChange, ExtensionTarget } from '../sessions/pluginSessionState.ts';
import type { SessionSummary } from '../sessions/sessionStore.ts';
import type { RunOf } from './rpc/createRunEvents.ts';

/** What the rest of the program does for callers of the gateway. Every method rejects with a PincerError, and with `cancelled` where the caller left. */
export interface GatewayPorts {
  /** The gateway begins: its callers see from now on what whoever starts it may see. */
  open(): void;
  /**
   * One call through the whole pipeline: policy, hooks, approval, trace, redaction.
   * @throws PincerError `agent_unknown`, `session_unknown`, `session_agent_differs`, `agent_stopped`
   */
  callTool(call: ToolInvocation): Promise<ToolOutcome>;
  /** The tools that MCP clients get, each behind the same pipeline; undefined where the user's config serves none over HTTP. */
  served(): readonly ServedTool[] | undefined;
  /** A turn of an agent. @throws PincerError `agent_unknown`, `agent_stopped`, `message_blocked`, and whatever a turn fails with */
  runAgent(request: AgentRequest): AsyncIterable<GeneratedEvent>;
  /** One answer of a model to the caller's own words; no hooks, no tools, nothing stored. @throws PincerError `model_unknown`, `model_*` */
  askModel(request: ModelQuestion): AsyncIterable<GeneratedEvent>;
  /**
   * Starts a turn that goes on when its caller leaves; `main` names the one session that clients of an agent share.
   * @throws PincerError `agent_unknown`, `session_unknown`, `agent_stopped`, `model_unknown`, `inbox_full`, `inbox_text_too_long`
   */
  startTurn(request: TurnStart): Promise<StartedRun>;
  /** Cancels the turn of a session; with `runId` only that one. Gives what was cancelled. @throws PincerError `session_unknown` */
  abort(sessionKey: string, runId: string | undefined): Promise<readonly string[]>;
  /** What was said in a session, oldest first. @throws PincerError `session_unknown` */
  history(sessionKey: string): Promise<SessionHistory>;
  /** Newest first. */
  sessions(): Promise<readonly SessionRow[]>;
  /** Stores what a plugin keeps of a session. @throws PincerError `session_unknown`, `session_extension_unknown`, `session_value_invalid` */
  patchPluginState(sessionKey: string, target: ExtensionTarget, change: ExtensionChange): Promise<void>;
  /**
   * Starts the accounts of a channel again at once, or the one named, and tells how the channel stands.
   * @throws PincerError `channel_unknown`, `channel_elsewhere`
   */
  restartChannel(channel: string, accountId?: string): Promise<ChannelView>;
  /** Events of every turn that callers may see. */
  readonly onRunEvent: Event<{ readonly run: RunOf; readonly event: AgentEvent }>;
  /** What waits for a person, of what callers may see. */
  readonly approvals: RemoteApprovals;
  /** How many turns run now. */
  running(): number;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /** The agents by id, the default one first, and the models by name. */
  agents(): readonly string[];
  models(): readonly string[];
}

export type RemoteApprovals = Pick<
  ApprovalBroker,
  'pending' | 'history' | 'resolve' | 'noteShownWhole' | 'onDidChange'
>;

export interface TurnStart {
  /** Default `main`. */
  readonly sessionKey?: string;
  readonly agentId?: string;
  readonly message: string;
  /** A turn of the session that runs reads it when it would end; else it waits for that turn, and has one of its own. */
  readonly mayQueue?: boolean;
}

export interface StartedRun extends RunOf {
  /** Never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** The turn ran before, and reads the message when it would end. */
  readonly isQueued?: boolean;
}

interface SessionHistory {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly messages: readonly AgentMessage[];
}

interface SessionRow extends Pick<SessionSummary, 'key' | 'kind' | 'agentId' | 'title' | 'updatedAt'> {
  readonly sessionId: string;
  readonly isRunning: boolean;
  /** What plugins show of it (OpenClaw hooks, Session extensions and next-turn injections). */
  readonly pluginExtensions: Readonly<Record<string, unknown>>;
}

export interface ToolInvocation {
  readonly name: string;
  readonly args: Params;
  /** Of the session it is made in; default one of the gateway's own. */
  readonly sessionKey?: string;
  readonly agentId?: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Gets what the tool says while it runs. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface ToolOutcome {
  /** As a model would read it. */
  readonly message: ToolResultMessage;
  /** What the program itself says of how the call went: `status` of a call that did not run or failed. */
  readonly facts: unknown;
}

export interface AgentRequest {
  /** Default: the agent that the user's config names. */
  readonly agentId?: string;
  readonly prompt: string;
  readonly images: readonly ImagePart[];
  /** What the program that asks says of itself, as context of the message; empty where that is nothing. */
  readonly instructions: string;
  /** What was said before, and by whom, in the same way; it counts where the session has no messages of its own. */
  readonly earlier: string;
  /** Requests with one name go on with one session; default a session for each. */
  readonly conversation?: string;
  /** Tells the words as they come, with those before a tool call; else the answer alone, as it is in the end. */
  readonly isStreamed: boolean;
  readonly settings: ModelSettings;
  readonly signal: AbortSignal;
}

export interface ModelQuestion {
  /** `built-in` or `provider/model`. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
  }[];
  readonly settings: ModelSettings;
  readonly signal: AbortSignal;
}

/** What an answer is made of, in order; `done` comes last. */
export type GeneratedEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: Params }
  | { readonly type: 'done'; readonly stopReason: StopReason; readonly usage?: TokenUsage };
