import type { JsonSchema, Params } from './json.ts';
import type { ImagePart, TextPart } from './message.ts';

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
export type ToolOwner = { readonly kind: 'core' } | { readonly kind: 'plugin'; readonly pluginId: string };

/** One file that a call would change. `before` is null when the file does not exist yet. */
export interface FileEdit {
  /** Absolute path. */
  readonly path: string;
  /** As people read it: relative to its workspace folder, with forward slashes. */
  readonly label: string;
  readonly before: string | null;
  readonly after: string;
}

/** What a call is going to touch; the host rules decide by this whether to ask. */
export type ToolEffect =
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'edit'; readonly edit: FileEdit }
  | { readonly kind: 'execute'; readonly command: string }
  | { readonly kind: 'network'; readonly host: string };

/**
 * A call whose parameters are final. Nothing outside has happened yet: `effects` says what `run` will do, and `run` does
 * exactly that or fails. An edit is refused if the file changed after it was prepared (rulings T8).
 */
export interface PreparedCall {
  readonly effects: readonly ToolEffect[];
  run(signal: AbortSignal, onUpdate: (partial: ToolResult) => void): Promise<ToolResult>;
}

/** A tool as the pipeline runs it; core tools and plugin tools look the same here. */
export interface AgentTool extends ToolDefinition {
  /** Short name for people, sentence case. */
  readonly label: string;
  readonly owner: ToolOwner;
  /** Optional tools are hidden unless allow-listed (rulings T9). */
  readonly optional: boolean;
  /** False where the tool never changes anything outside the process; restricted windows keep only these. */
  readonly mayWrite: boolean;
  /** Paths a call would touch, for `before_tool_call`'s `derivedPaths`; best effort, never throws. */
  derivedPaths?(params: Params): readonly string[];
  /** Checks the call and says what it will do. Throws a `PincerError` written for the model when it can't be done. */
  prepare(toolCallId: string, params: Params, signal: AbortSignal): Promise<PreparedCall>;
}
