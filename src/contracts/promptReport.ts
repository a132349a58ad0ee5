import type { ModelRef } from './model.ts';

/** Who brought a part of a prompt. */
export type PromptOwner =
  | { readonly kind: 'pincer' }
  | { readonly kind: 'user' }
  /** A file of the workspace or of the user's skills; the path is absolute. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'plugin'; readonly pluginId: string }
  | { readonly kind: 'mcp'; readonly server: string };

/** A piece of what a model gets beside the conversation. */
export interface PromptPart {
  /** Such as `identity`, `rules:src/AGENTS.md`, `skills`, `plugin:memory-core`. */
  readonly id: string;
  /** Sentence case, for people. */
  readonly title: string;
  readonly owner: PromptOwner;
  readonly text: string;
  /** In the system prompt, or before or after the user's words of this turn. */
  readonly place: 'system' | 'before' | 'after';
  /** What people should know of it: that it was cut, that a plugin took its place. */
  readonly note?: string;
}

/** Exactly what a model got in a request, and who brought what. Tokens are estimated unless `countedTokens` is there. */
export interface PromptReport {
  readonly runId: string;
  readonly sessionId: string;
  readonly model: ModelRef;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** In the order of the prompt; joined by blank lines, those of `system` are the system prompt. */
  readonly parts: readonly (PromptPart & { readonly tokens: number })[];
  readonly tools: readonly {
    readonly name: string;
    readonly owner: PromptOwner;
    readonly tokens: number;
    /** Of the definitions that it stands for. */
    readonly savesTokens?: number;
  }[];
  readonly messages: { readonly count: number; readonly tokens: number };
  /** Of the whole request, as the server counted it. */
  readonly countedTokens?: number;
  readonly window: number;
}
