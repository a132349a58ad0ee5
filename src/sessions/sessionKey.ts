import type { SessionKind } from '../contracts/sessionEntry.ts';

// Threat: a key comes from a plugin or a tool call, and its id becomes part of a path.
const keyPattern =
  /^agent:(?<agentId>[a-z0-9][a-z0-9_-]{0,63}):(?:(?<channel>[a-z0-9_-]{1,32}):)?(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u;

/** What a session key says. `channel` is missing in the keys of sessions that were made before there were channels. */
export interface SessionKeyParts {
  readonly agentId: string;
  readonly channel?: string;
  /** The id of the session: the name of its transcript. */
  readonly id: string;
}

/** Upstream's shape, `agent:<agent>:<channel>:<id>`; the channel of a started agent is `subagent`. */
export function buildSessionKey(parts: {
  readonly agentId: string;
  readonly kind: SessionKind;
  /** The surface: `vscode`, `cli`. */
  readonly channel: string;
  readonly id: string;
}): string {
  const { agentId, kind, channel, id } = parts;
  return `agent:${agentId}:${kind === 'subagent' ? 'subagent' : channel}:${id}`;
}

/** The parts of a key; undefined where it is none. */
export function parseSessionKey(key: string): SessionKeyParts | undefined {
  const { agentId, channel, id } = keyPattern.exec(key)?.groups ?? {};
  if (agentId === undefined || id === undefined) return undefined;
  return { agentId, id, ...(channel === undefined ? {} : { channel }) };
}
