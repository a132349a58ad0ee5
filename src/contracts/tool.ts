import type { JsonSchema, Params } from './jsonTypes.ts';
import type { ImagePart, TextPart, ToolCallPart } from './message.ts';
import type { Tenant } from './tenant.ts';

/** What a model is told of a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the parameters; its root is an object schema. */
  readonly parameters: JsonSchema;
}

/** What a tool answers. `content` is for the model, `details` for people and plugins. */
export interface ToolResult {
  readonly content: readonly (TextPart | ImagePart)[];
  readonly details?: unknown;
  readonly isError?: boolean;
}

/** Who brought a tool. */
export type ToolOwner =
  | { readonly kind: 'core' }
  | { readonly kind: 'plugin'; readonly pluginId: string }
  /** An MCP server, by the name it has here. */
  | { readonly kind: 'mcp'; readonly server: string };

/**
 * One file that a call would change. `before` is null when the file does not exist yet, `after` when it is deleted; a move is
 * a deletion and a new file.
 */
export interface FileEdit {
  /** Absolute path. */
  readonly path: string;
  /** As people read it: relative to its workspace folder, with forward slashes. */
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a person took of a call's edits: by the number of an edit, the numbers of its hunks that were refused. */
export type RejectedHunks = ReadonlyMap<number, ReadonlySet<number>>;

/** What a call is going to touch; the host rules decide by this whether to ask. */
export type ToolEffect =
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'edit'; readonly edit: FileEdit }
  | ExecuteEffect
  | NetworkEffect
  | MessageEffect
  | SendEffect
  | ServerEffect
  | ScheduleEffect
  | GatewayEffect;

/** A command line that a call would run. */
export interface ExecuteEffect {
  readonly kind: 'execute';
  /** The whole command as it will run. */
  readonly command: string;
  /** Absolute path of the folder it runs in. */
  readonly workdir: string;
  /** `sandbox` is a container without network; `local` is the user's own machine. */
  readonly host: 'local' | 'sandbox';
  /** `allowed`: the grammar read it whole and the allow list covers each part. `denied`: the deny list names it. */
  readonly verdict: 'allowed' | 'ask' | 'denied';
  /** True where the user's config wants to be asked about every command: then no mode answers for them. */
  readonly isAlwaysAsked?: boolean;
  /** One short sentence: why it is not simply allowed, or what allowed it. */
  readonly reason: string;
  /** What an "always" would cover, as patterns of the allow list, one for each step; undefined where the command can't be covered. */
  readonly patterns?: readonly [string, ...string[]];
  /** Its commands and substitutions as written, where there are several or one has pieces; only to explain it. */
  readonly parts?: readonly CommandPart[];
}

/** A part of a command line as written. */
export interface CommandPart {
  readonly text: string;
  /** What it sets and redirects, which stands in `text`, too: what a command writes to must be seen where its row is cut. */
  readonly pieces?: readonly string[];
}

/** A connection that a call would make. */
export interface NetworkEffect {
  readonly kind: 'network';
  readonly host: string;
  /** The whole address, for the question. */
  readonly url: string;
  /** True where the user allowed this host in the config. */
  readonly isAllowed: boolean;
  /** True once text that is not the user's entered the session: what is sent to a new host might have been asked for by it. */
  readonly isTainted: boolean;
}

/** Words that a call would say in another conversation of the user, where an agent acts on them. */
export interface MessageEffect {
  readonly kind: 'message';
  readonly sessionId: string;
  /** The session's title, as people know it. */
  readonly to: string;
  /** The whole message. */
  readonly text: string;
}

/** Words that a call would send to somebody else, by a message channel. */
export interface SendEffect {
  readonly kind: 'send';
  readonly channel: string;
  readonly accountId: string;
  /** To whom, in the channel's words. */
  readonly to: string;
  /** In which thread; in some channels that alone says where it goes. */
  readonly thread?: string;
  /** The whole message, as it goes out. */
  readonly text: string;
  /** The file that goes with it, as people read it. */
  readonly file?: string;
}

/** A call that an MCP server carries out: nobody here knows what it does. */
export interface ServerEffect {
  readonly kind: 'server';
  /** The name it has here. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** The whole arguments as JSON. */
  readonly text: string;
  /** Names and types of the arguments, which an "always" covers: `{ path: string }`; undefined where they are too many to read. */
  readonly shape: string | undefined;
  /** Names what was agreed to, server and definition: an "always" ends when either changes. */
  readonly pin: string;
  /** True where the server itself says that the tool may destroy something. */
  readonly isDestructive: boolean;
}

/** A job that a call would add, change, remove or start: what it does happens later, while nobody may be there. */
interface ScheduleEffect {
  readonly kind: 'schedule';
  /** What happens to which job. */
  readonly title: string;
  /** When it is due, and what the agent is told then. */
  readonly description: string;
  /** What the job does outlives the turn: it is asked in every mode. */
  readonly isAlwaysAsked?: boolean;
}

/** What a call would do with the gateway, on which other programs rely: it is asked in every mode. */
interface GatewayEffect {
  readonly kind: 'gateway';
  readonly title: string;
  /** Why, and what it means for those who are connected. */
  readonly description: string;
}

/** The turn that a call belongs to, as far as tools, approvals and checkpoints know it. */
export interface Turn {
  readonly runId: string;
  readonly agentId?: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  /** The scheduled job that it is a run of. */
  readonly jobId?: string;
  /** On whose behalf it runs; absent, nobody's in particular. */
  readonly tenant?: Tenant;
  /** Aborts when the turn is cancelled or its time is over. */
  readonly signal: AbortSignal;
}

/**
 * One call of a tool. Nobody writes to it: what plugins make of its parameters is handed on beside it. Tools that keep something
 * between calls keep it by session.
 */
export interface ToolCall<Of extends Turn = Turn> {
  /** As the model asked for it. */
  readonly part: ToolCallPart;
  readonly turn: Of;
}

/** What a prepared call gets when it runs. */
export interface RunContext {
  readonly signal: AbortSignal;
  /** Hands on what there is so far; must not be called after `run` has settled. */
  readonly onUpdate: (partial: ToolResult) => void;
  /** Empty unless a person took only a part of the edits. */
  readonly rejected: RejectedHunks;
  readonly consent: CallConsent;
}

/**
 * Why a call may run: `free` where it needed no question, `always` where an earlier answer covers it, `person` where somebody was
 * shown exactly this call and said yes.
 */
export type CallConsent = 'free' | 'always' | 'person';

/**
 * A call whose parameters are final. Nothing outside has happened yet: `effects` says what `run` will do, and `run` does
 * exactly that, less what was rejected, or fails. An edit is refused if the file changed after it was prepared.
 */
export interface PreparedCall {
  readonly effects: readonly ToolEffect[];
  run(context: RunContext): Promise<ToolResult>;
}

/** What people are shown of a tool beside its name; the model is told nothing of it. */
export interface ToolDisplay {
  readonly description?: string;
  /** As its plugin rates it: no rule goes by that. */
  readonly risk?: 'low' | 'medium' | 'high';
  readonly tags?: readonly string[];
}

/** A tool as the pipeline runs it; core tools and plugin tools look the same here. */
export interface AgentTool extends ToolDefinition {
  /** Tokens of the definitions that requests need not carry because of it; estimated. */
  readonly savesTokens?: number;
  /** Short name for people, sentence case. */
  readonly label: string;
  readonly display?: ToolDisplay;
  readonly owner: ToolOwner;
  /** Optional tools are hidden unless allow-listed. */
  readonly optional: boolean;
  /** False where the tool never changes anything outside the process; restricted windows keep only these. */
  readonly mayWrite: boolean;
  /** Why it can't be offered now, as the end of a sentence: `no search service is configured`. Read before each run. */
  unavailable?(): string | undefined;
  /** True where it is unavailable because the user keeps it from agents. */
  readonly isLeftOut?: boolean;
  /** What a call is about where no path says it, in a few words: a command, an address. Never throws. */
  target?(params: Params): string | undefined;
  /** Paths a call would touch, for `before_tool_call`'s `derivedPaths`; best effort, never throws. */
  derivedPaths?(params: Params): readonly string[];
  /** Checks the call and says what it will do. Throws a `PincerError` written for the model when it can't be done. */
  prepare(call: ToolCall, params: Params): Promise<PreparedCall>;
}
