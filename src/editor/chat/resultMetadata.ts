import type { ChatResult } from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { Session } from '../../sessions/session.ts';

/** What a turn leaves in the panel's history: the only stable tie between a turn and its session. Small on purpose. */
export interface ResultMetadata {
  readonly sessionId: string;
  /** What plugins know the chat by. */
  readonly sessionKey?: string;
  /** The turn of the agent, where one ran. */
  readonly runId?: string;
  /** The chat of the panel, which has no id of its own there. */
  readonly chatId?: string;
  /** The model that answered, as `provider/model`. */
  readonly model?: string;
  /** What the turn was about, for its follow-ups. */
  readonly about: 'help' | 'answer' | 'stopped' | 'failure' | 'interrupted';
}

export function toResult(
  { id, key }: Pick<Session, 'id' | 'key'>,
  rest: Omit<ResultMetadata, 'sessionId' | 'sessionKey'>,
): ChatResult {
  return { metadata: { sessionId: id, sessionKey: key, ...rest } satisfies ResultMetadata };
}

/** The metadata of an earlier turn; undefined where the turn was interrupted or is not ours. */
export function readMetadata(metadata: unknown): ResultMetadata | undefined {
  if (!isRecord(metadata) || typeof metadata['sessionId'] !== 'string') return undefined;
  const { about, sessionKey, runId, chatId, model } = metadata;
  return {
    sessionId: metadata['sessionId'],
    ...(typeof sessionKey === 'string' ? { sessionKey } : {}),
    ...(typeof runId === 'string' ? { runId } : {}),
    ...(typeof chatId === 'string' ? { chatId } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    about:
      about === 'help' || about === 'stopped' || about === 'failure' || about === 'interrupted'
        ? about
        : 'answer',
  };
}
