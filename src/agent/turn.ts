import type { UserMessage } from '../contracts/message.ts';
import type { TurnMeter } from './createTurnMeter.ts';
import type { ModelHooks } from './modelHooks.ts';
import type { OutputHooks } from './outputHooks.ts';
import type { PromptHooks } from './promptHooks.ts';
import type { RunDeps, RunInput } from './runInput.ts';
import type { RunScope } from './runScope.ts';
import type { TurnMessages } from './turnMessages.ts';
import type { UserWords } from './userWords.ts';

/** Everything that the stages of one turn share. */
export interface Turn extends PromptHooks, ModelHooks, OutputHooks {
  readonly deps: RunDeps;
  /** As it was given, but for `signal`, which also aborts when the time is over, and `emit`, which the meter hears. */
  readonly input: RunInput;
  /** Aborts when the user, the window or whoever started the turn cancels it. */
  readonly cancelled: AbortSignal;
  readonly scope: RunScope;
  readonly meter: TurnMeter;
  readonly conversation: TurnMessages;
  /** By the clock that only grows. */
  readonly started: number;
}

/** The words as a message holds them. */
export function contentOf({ text, attachments }: UserWords): UserMessage['content'] {
  return [{ type: 'text', text }, ...attachments];
}

/** A message of the user, or one that stands for the user. */
export function userMessage(
  { deps }: Turn,
  content: UserMessage['content'],
  origin: Pick<UserMessage, 'via' | 'inboxId'> = {},
): UserMessage {
  return { role: 'user', content, ...origin, timestamp: deps.clock.now() };
}
