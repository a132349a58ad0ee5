import type { AgentsConfig, Binding } from '../config/sections/agentsSection.ts';

/** Where a message came from, as its channel tells it. The chat panel is the channel `vscode`, the command line `cli`. */
export interface RouteMessage {
  readonly channel: string;
  readonly accountId?: string;
  /** With whom: a person, a group, a channel. */
  readonly peer?: { readonly kind: 'direct' | 'group' | 'channel'; readonly id: string };
  /** The server or team that the group belongs to. */
  readonly guildId?: string;
}

/** The agent that answers a message, and why. */
export interface AgentRoute {
  readonly agentId: string;
  /** `provider/model` of the binding, in place of the agent's. */
  readonly model?: string;
  /** The most specific thing that the binding names; `default` where none counts. */
  readonly matchedBy: 'peer' | 'guild' | 'account' | 'channel' | 'default';
  /** One short sentence for people. */
  readonly reason: string;
}

/**
 * Which agent answers a message (OpenClaw plugin architecture, Message Processing to LLM Invocation, OpenClaw core flow
 * `resolveAgentRoute`). Of the bindings whose every field fits, the most specific counts: peer before guild before account before
 * channel; then the one that names more; then the first written. An account `*` is any and makes nothing more specific. A binding
 * to an agent that is not there gives the default agent. Pure.
 */
export function resolveRoute(message: RouteMessage, config: AgentsConfig): AgentRoute {
  const fallback = config.list.find((agent) => agent.isDefault)?.id ?? 'main';
  const fitting = config.bindings
    .map((binding, index) => ({ binding, number: index + 1, weight: weightOf(binding) }))
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
    matchedBy: levelOf(binding),
    reason: `${where} fits.`,
  };
}

/** A binding's conditions as people read them: `whatsapp, direct 555`. */
export function describeMatch({ match }: Binding): string {
  const { channel, accountId, peer, guildId } = match;
  return [
    channel,
    ...(accountId === undefined ? [] : [`account ${accountId}`]),
    ...(guildId === undefined ? [] : [`guild ${guildId}`]),
    ...(peer === undefined ? [] : [`${peer.kind} ${peer.id}`]),
  ].join(', ');
}

function fits({ match }: Binding, message: RouteMessage): boolean {
  const { accountId, peer, guildId } = match;
  return (
    same(match.channel.toLowerCase(), message.channel.toLowerCase()) &&
    (!namesAccount(accountId) || same(accountId, message.accountId)) &&
    (guildId === undefined || same(guildId, message.guildId)) &&
    (peer === undefined || (peer.kind === message.peer?.kind && same(peer.id, message.peer.id)))
  );
}

function same(wanted: string | undefined, found: string | undefined): boolean {
  return wanted?.trim() === found?.trim();
}

function namesAccount(accountId: string | undefined): boolean {
  return accountId !== undefined && accountId.trim() !== '*';
}

function weightOf({ match }: Binding): number {
  const { accountId, peer, guildId } = match;
  return (peer === undefined ? 0 : 4) + (guildId === undefined ? 0 : 2) + (namesAccount(accountId) ? 1 : 0);
}

function levelOf({ match }: Binding): AgentRoute['matchedBy'] {
  if (match.peer !== undefined) return 'peer';
  if (match.guildId !== undefined) return 'guild';
  return namesAccount(match.accountId) ? 'account' : 'channel';
}
