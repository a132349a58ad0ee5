import { createHash } from 'node:crypto';
import type { SessionKind } from '../contracts/sessionEntry.ts';
import { isSessionId } from './sessionIds.ts';

// Threat: a key comes from a plugin or a tool call.
const keyPattern =
  /^agent:(?<agentId>[a-z0-9][a-z0-9_-]{0,63}):(?:(?<channel>[a-z0-9_-]{1,32}):)?(?<chatId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|(?:[\w.@+~-]{1,64}:)?(?:direct|group|channel):[\w.@+~-]{1,64}(?::thread:[\w.@+~-]{1,64})?)$/u;

/** With whom a conversation of a channel is. */
interface PeerPlace {
  readonly accountId: string;
  readonly kind: 'direct' | 'group' | 'channel';
  readonly peerId: string;
  readonly threadId?: string;
}

/**
 * The chat of a peer, in upstream's shape: `direct:42`, `work:group:-7:thread:3`. Threat: two peers whose ids look alike come into one
 * conversation. So an id that is not plain is followed by its hash. Pure.
 */
export function peerChatId({ accountId, kind, peerId, threadId }: PeerPlace): string {
  const account = accountId === 'default' ? '' : `${plainId(accountId)}:`;
  const thread = threadId === undefined ? '' : `:thread:${plainId(threadId)}`;
  return `${account}${kind}:${plainId(peerId)}${thread}`;
}

/** Whether a key is that of a conversation of a channel. Pure. */
export function isPeerKey(key: string): boolean {
  return /(?:^|:)(?:direct|group|channel):/u.test(parseSessionKey(key)?.chatId ?? '');
}

/** `~` stands in no plain id. */
function plainId(id: string): string {
  if (/^[a-z0-9._@+-]{1,40}$/u.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id
    .toLowerCase()
    .replace(/[^a-z0-9._@+-]/gu, '-')
    .slice(0, 40)}~${hash}`;
}

/** What a session key says. `channel` is missing in the keys of sessions that were made before there were channels. */
interface SessionKeyParts {
  readonly agentId: string;
  readonly channel?: string;
  /** Of the chat, which outlives a session: the id of the first one, or the hash of a workspace that the command line works on. */
  readonly chatId: string;
}

/** Upstream's shape, `agent:<agent>:<channel>:<chat id>`; the channel of a started agent is `subagent`. */
export function buildSessionKey(parts: {
  readonly agentId: string;
  readonly kind: SessionKind;
  /** The surface: `vscode`, `cli`. */
  readonly channel: string;
  readonly chatId: string;
}): string {
  const { agentId, kind, channel, chatId } = parts;
  return `agent:${agentId}:${kind === 'subagent' ? 'subagent' : channel}:${chatId}`;
}

/** The parts of a key; undefined where it is none. */
export function parseSessionKey(key: string): SessionKeyParts | undefined {
  const { agentId, channel, chatId } = keyPattern.exec(key)?.groups ?? {};
  if (agentId === undefined || chatId === undefined) return undefined;
  return { agentId, chatId, ...(channel === undefined ? {} : { channel }) };
}

/** The chat of a key, for the session of the same agent that comes in place of another one; undefined where another agent's comes. */
export function chatIdFor(agentId: string, key: string): string | undefined {
  const parts = parseSessionKey(key);
  // The conversation with a peer goes on in its channel alone.
  if (isPeerKey(key)) return undefined;
  return parts?.agentId === agentId && parts.channel !== 'subagent' ? parts.chatId : undefined;
}

/**
 * Threat: plugins know two tenants by one key. A chat of the editor belongs to one of them by its first session; the one chat that the
 * command line has in a workspace is another one for each. Pure.
 */
export function chatIdForTenant(chatId: string, tenantId: string | undefined): string {
  if (tenantId === undefined || isSessionId(chatId)) return chatId;
  return createHash('sha256')
    .update(JSON.stringify([chatId, tenantId]))
    .digest('hex')
    .slice(0, 16);
}
