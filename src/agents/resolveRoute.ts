import type { AgentsConfig, Binding } from '../config/sections/agentsSection.ts';

/** Where a message came from, as its channel tells it. The chat panel is the channel `vscode`, the command line `cli`. */
export interface RouteMessage {
  readonly channel: string;
  readonly accountId?: string;
  /** With whom: a person, a group, a channel. */
  readonly peer?: { readonly kind: 'direct' | 'group' | 'channel'; readonly id: string };
  /** Of a thread: the group or channel that it belongs to. */
  readonly parentPeer?: NonNullable<RouteMessage['peer']>;
  /** The server or team that the group belongs to. */
  readonly guildId?: string;
  /** Roles of the sender on that server. */
  readonly roles?: readonly string[];
  /** The team or organisation of the account. */
  readonly teamId?: string;
}

/** The agent that answers a message, and why. */
export interface AgentRoute {
  readonly agentId: string;
  /** `provider/model` of the binding, in place of the agent's. */
  readonly model?: string;
  /** The most specific thing that the binding names; `default` where none counts. */
  readonly matchedBy: 'peer' | 'parent peer' | 'roles' | 'guild' | 'team' | 'account' | 'channel' | 'default';
  /** One short sentence for people. */
  readonly reason: string;
}

/**
 * Which agent answers a message (OpenClaw plugin architecture, Message Processing to LLM Invocation, OpenClaw core flow
 * `resolveAgentRoute`). Of the bindings whose every field fits, the most specific counts: peer before the peer of which it is a
 * thread, before roles, guild, team, account and channel; then the one that names more; then the first written. An account `*` is
 * any and makes nothing more specific. A binding to an agent that is not there gives the default agent. Pure.
 */
export function resolveRoute(message: RouteMessage, config: AgentsConfig): AgentRoute {
  const fallback = config.list.find((agent) => agent.isDefault)?.id ?? 'main';
  const fitting = config.bindings
    .map((binding, index) => ({ binding, number: index + 1, weight: weightOf(binding, message) }))
    .filter(({ binding }) => fits(binding, message));
  const best = fitting.reduce<(typeof fitting)[number] | undefined>(
    (found, each) => (found === undefined || each.weight > found.weight ? each : found),
    undefined,
  );
  if (best === undefined)
    return { agentId: fallback, matchedBy: 'default', reason: 'No binding fits; it is the default agent.' };
  const { binding, number } = best;
  const where = `Binding ${number} (${describeMatch(binding)})`;
  if (!config.list.some((agent) => agent.id === binding.agentId)) {
    const reason = `${where} names the agent "${binding.agentId}", which is not there; it is the default agent.`;
    return { agentId: fallback, matchedBy: 'default', reason };
  }
  return {
    agentId: binding.agentId,
    ...(binding.model === undefined ? {} : { model: binding.model }),
    matchedBy: levelOf(binding, message),
    reason: `${where} fits.`,
  };
}

/** A binding's conditions as people read them: `whatsapp, direct 555`. */
export function describeMatch({ match }: Binding): string {
  const { channel, accountId, peer, guildId, roles, teamId } = match;
  return [
    channel,
    ...(accountId === undefined ? [] : [`account ${accountId}`]),
    ...(teamId === undefined ? [] : [`team ${teamId}`]),
    ...(guildId === undefined ? [] : [`guild ${guildId}`]),
    ...(roles === undefined ? [] : [`roles ${roles.join(' or ')}`]),
    ...(peer === undefined ? [] : [`${peer.kind} ${peer.id}`]),
  ].join(', ');
}

type Peer = NonNullable<RouteMessage['peer']>;

function fits({ match }: Binding, message: RouteMessage): boolean {
  const { accountId, peer, guildId, roles, teamId } = match;
  return (
    same(match.channel.toLowerCase(), message.channel.toLowerCase()) &&
    (!namesAccount(accountId) || same(accountId, message.accountId)) &&
    (teamId === undefined || same(teamId, message.teamId)) &&
    (guildId === undefined || same(guildId, message.guildId)) &&
    (roles === undefined || roles.some((role) => message.roles?.includes(role) === true)) &&
    (peer === undefined || samePeer(peer, message.peer) || samePeer(peer, message.parentPeer))
  );
}

function samePeer(wanted: Peer, found: Peer | undefined): boolean {
  return wanted.kind === found?.kind && same(wanted.id, found.id);
}

function same(wanted: string | undefined, found: string | undefined): boolean {
  return wanted?.trim() === found?.trim();
}

function namesAccount(accountId: string | undefined): boolean {
  return accountId !== undefined && accountId.trim() !== '*';
}

/** What a binding names, the most specific first. */
function levelsOf({ match }: Binding, message: RouteMessage): readonly AgentRoute['matchedBy'][] {
  const { accountId, peer, guildId, roles, teamId } = match;
  const peerLevel = peer !== undefined && samePeer(peer, message.peer) ? 'peer' : 'parent peer';
  return [
    ...(peer === undefined ? [] : ([peerLevel] as const)),
    ...(roles === undefined ? [] : (['roles'] as const)),
    ...(guildId === undefined ? [] : (['guild'] as const)),
    ...(teamId === undefined ? [] : (['team'] as const)),
    ...(namesAccount(accountId) ? (['account'] as const) : []),
  ];
}

/** From the least specific on. */
const levels = ['account', 'team', 'guild', 'roles', 'parent peer', 'peer'] as const;

/** Each level weighs more than all below it together. */
function weightOf(binding: Binding, message: RouteMessage): number {
  const named = levelsOf(binding, message);
  return levels.reduce((sum, level, index) => (named.includes(level) ? sum + 2 ** index : sum), 0);
}

function levelOf(binding: Binding, message: RouteMessage): AgentRoute['matchedBy'] {
  return levelsOf(binding, message)[0] ?? 'channel';
}
