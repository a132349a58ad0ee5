import type * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import type { AnswerStream } from './orderedStream.ts';
import type { ResultMetadata } from './resultMetadata.ts';

export interface SlashContext {
  readonly runtime: Runtime;
  /** The one that the answer belongs to. */
  readonly session: Session;
  /** The session of the turn before, where there was one. */
  readonly previous: Session | undefined;
  readonly last: LastUsedTracker;
  readonly reviewOf: ReviewOf;
  readonly stream: AnswerStream;
  /** What stands behind the command. */
  readonly prompt: string;
  /** What the model picker of the surface shows; undefined where it has none. */
  readonly picked: vscode.LanguageModelChat | undefined;
  /** Aborts where the user stops the request. */
  readonly signal: AbortSignal;
}

export interface SlashCommand {
  run(context: SlashContext): Promise<ResultMetadata['about']> | ResultMetadata['about'];
  /** True where the panel does not offer it: it is typed, and known to those who come from OpenClaw or made by Pincer itself. */
  readonly isTyped?: true;
}
