import type { SessionEntry } from '../contracts/sessionEntry.ts';
import type { SessionTranscriptUpdate } from '../sdk/types.ts';
import type { Session } from '../sessions/session.ts';

/**
 * What plugins hear of a line that is on disk (OpenClaw documentation, Plugin runtime helpers); undefined for the host's own marks, which
 * upstream's transcripts don't have. Pure.
 */
export function toTranscriptUpdate(
  { id: sessionId, key: sessionKey, agentId, entries }: Pick<Session, 'id' | 'key' | 'agentId' | 'entries'>,
  entry: SessionEntry,
): SessionTranscriptUpdate | undefined {
  const session = { target: { agentId, sessionId, sessionKey }, sessionKey, agentId, sessionId };
  if (entry.type === 'compaction') return session;
  if (entry.type !== 'message') return undefined;
  const { message, id: messageId } = entry;
  // What was said since is there already. By its id: a compaction meanwhile keeps a slimmer one.
  const upTo = entries().slice(0, entries().findLastIndex(({ id }) => id === messageId) + 1);
  const messageSeq = upTo.filter(({ type }) => type === 'message').length;
  const told = { ...session, message, messageId, messageSeq };
  const endsRun = message.role === 'assistant' && !message.content.some(({ type }) => type === 'toolCall');
  const runId = endsRun ? runOf(upTo) : undefined;
  return runId === undefined ? told : { ...told, runId };
}

function runOf(entries: readonly SessionEntry[]): string | undefined {
  const turn = entries.findLast((each) => each.type === 'turn');
  return turn?.state === 'started' ? turn.runId : undefined;
}
