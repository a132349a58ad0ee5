import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/session.ts';

/** How much of a window is used, and whether a server said so. */
export interface KnownContext {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

/**
 * What a transcript says of the window's use: the server's count for the last answer and an estimate of what came after it;
 * where there is none since the last compaction, an estimate of the conversation alone. Pure.
 */
export function findContext(
  entries: readonly SessionEntry[],
  sizeOf: (message: AgentMessage) => number,
): KnownContext {
  let tokens = 0;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.type === 'compaction') return { tokens: tokens + entry.tokensAfter, isEstimated: true };
    if (entry?.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'assistant' && message.usage !== undefined) {
      const { input, output } = message.usage;
      return { tokens: tokens + input + output, isEstimated: tokens > 0 };
    }
    tokens += sizeOf(message);
  }
  return { tokens, isEstimated: true };
}
