// Threat: somebody writes whom the user has not let in, or a group fills the agent's time. So each message is judged here, whatever its plugin
// has checked before; an id counts letter for letter, and what is not known means no.
import { isRecord } from '../base/json.ts';
import type { Cfg, ChannelEntry, GroupContext } from './channelPlugin.ts';

/** Settings of one account of a channel, as far as they are about who may write. Upstream's names. */
export interface AccessConfig {
  readonly dmPolicy: 'pairing' | 'allowlist' | 'open' | 'disabled';
  readonly allowFrom: readonly string[];
  readonly groupPolicy: 'allowlist' | 'open' | 'disabled';
  /** Undefined: whoever is in the group. Empty: nobody. */
  readonly groupAllowFrom: readonly string[] | undefined;
  readonly groups: Readonly<Record<string, GroupConfig>>;
}

interface GroupConfig {
  readonly enabled?: boolean;
  readonly requireMention?: boolean;
  readonly tools?: ToolLists;
  readonly toolsBySender?: Readonly<Record<string, ToolLists>>;
}

export interface ToolLists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly alsoAllow?: readonly string[];
}

/** What becomes of a message. */
export type Admission =
  | { readonly kind: 'let in' }
  /** Its sender may ask to be let in. */
  | { readonly kind: 'pair' }
  /** Dropped without a word to its sender; `why` is for the log. */
  | { readonly kind: 'drop'; readonly why: string };

export function readAccess(
  entry: Pick<ChannelEntry, 'plugin' | 'call'>,
  { cfg, accountId, account }: { readonly cfg: Cfg; readonly accountId: string; readonly account: unknown },
): AccessConfig {
  const { plugin, call } = entry;
  const section = accountSection(cfg, plugin.id, accountId);
  const said: unknown = call(`resolveDmPolicy of the channel ${plugin.id}`, () =>
    plugin.security?.resolveDmPolicy?.({ cfg, accountId, account }),
  );
  const dm = isRecord(said) ? said : {};
  const allowFrom: unknown = call(`resolveAllowFrom of the channel ${plugin.id}`, () =>
    plugin.config?.resolveAllowFrom?.({ cfg, accountId }),
  );
  const { groupAllowFrom } = section;
  return {
    // The user's own word counts before what the plugin makes of its settings.
    dmPolicy: oneOf(dmPolicies, section['dmPolicy'] ?? dm['policy']) ?? 'pairing',
    allowFrom: [...listOf(section['allowFrom']), ...listOf(allowFrom), ...listOf(dm['allowFrom'])],
    groupPolicy: oneOf(groupPolicies, section['groupPolicy']) ?? 'allowlist',
    // A list that is given and empty names nobody.
    groupAllowFrom: groupAllowFrom === undefined ? undefined : listOf(groupAllowFrom),
    groups: groupsIn(section),
  };
}

/** The groups that the settings of a channel name; some channels call them rooms. Pure. */
export function groupsIn(section: Cfg): AccessConfig['groups'] {
  const said = section['groups'] ?? section['rooms'];
  return isRecord(said) ? (said as AccessConfig['groups']) : {};
}

const dmPolicies = ['pairing', 'allowlist', 'open', 'disabled'] as const;
const groupPolicies = ['allowlist', 'open', 'disabled'] as const;

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((each) => each === value);
}

function listOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each).trim()] : [],
  );
}

/** The channel's settings, those of the account in front. Pure. */
export function accountSection(
  cfg: Cfg,
  channel: string,
  accountId: string,
): Readonly<Record<string, unknown>> {
  const channels = isRecord(cfg['channels']) ? cfg['channels'] : {};
  const section = isRecord(channels[channel]) ? channels[channel] : {};
  const accounts = isRecord(section['accounts']) ? section['accounts'] : {};
  const own = Object.hasOwn(accounts, accountId) ? accounts[accountId] : undefined;
  return { ...section, ...(isRecord(own) ? own : {}) };
}

/** May this sender write directly? `isPaired`: a person has let it in. Pure. */
export function admitDirect(
  { dmPolicy, allowFrom }: Pick<AccessConfig, 'dmPolicy' | 'allowFrom'>,
  isPaired: boolean,
  isListed: boolean,
): Admission {
  switch (dmPolicy) {
    case 'disabled':
      return { kind: 'drop', why: 'direct messages are disabled' };
    case 'open':
      return { kind: 'let in' };
    case 'allowlist':
      return isListed && allowFrom.length > 0
        ? { kind: 'let in' }
        : { kind: 'drop', why: 'the sender is not in allowFrom' };
    case 'pairing':
      return isPaired || isListed ? { kind: 'let in' } : { kind: 'pair' };
  }
}

/** May a message of a group be answered? Pure. */
export function admitGroup(
  { groupPolicy, groups, groupAllowFrom }: AccessConfig,
  {
    groupIds,
    isSenderListed,
    wasMentioned,
    requiresMention,
  }: {
    /** A topic's own id before that of its group. */
    readonly groupIds: readonly string[];
    readonly isSenderListed: boolean;
    readonly wasMentioned: boolean;
    readonly requiresMention: boolean;
  },
): Admission {
  const own = groupOf(groups, ...groupIds);
  if (groupPolicy === 'disabled') return { kind: 'drop', why: 'groups are disabled' };
  if (own?.enabled === false) return { kind: 'drop', why: 'the group is switched off' };
  if (groupPolicy === 'allowlist' && own === undefined)
    return { kind: 'drop', why: 'the group is not named in groups' };
  if (groupAllowFrom !== undefined && !isSenderListed)
    return { kind: 'drop', why: 'the sender is not in groupAllowFrom' };
  if (requiresMention && !wasMentioned) return { kind: 'drop', why: 'the agent was not mentioned' };
  return { kind: 'let in' };
}

/** A topic has its own settings, or those of the group that it lies in. Pure. */
export function groupIdsOf({
  peerId,
  parentPeerId,
}: {
  readonly peerId: string;
  readonly parentPeerId?: string | undefined;
}): readonly string[] {
  return parentPeerId === undefined ? [peerId] : [peerId, parentPeerId];
}

/** The settings of the first of these groups that has its own, else those of `*`. Pure. */
export function groupOf(
  groups: AccessConfig['groups'],
  ...groupIds: readonly string[]
): GroupConfig | undefined {
  const named = groupIds.find((each) => Object.hasOwn(groups, each)) ?? '*';
  const found: unknown = ownOf(groups, named);
  return isRecord(found) ? found : undefined;
}

/** Threat: who writes picks the key. `constructor` and `__proto__` are names like others. */
function ownOf<V>(values: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Whether the agent answers a group only where it is mentioned: as the group says, then as the channel does, else yes. */
export function requiresMention(
  entry: Pick<ChannelEntry, 'plugin' | 'call'>,
  access: AccessConfig,
  context: GroupContext,
  groupIds: readonly string[],
): boolean {
  const { plugin, call } = entry;
  const own = groupOf(access.groups, ...groupIds)?.requireMention;
  if (typeof own === 'boolean') return own;
  const said: unknown = call(`resolveRequireMention of the channel ${plugin.id}`, () =>
    plugin.groups?.resolveRequireMention?.(context),
  );
  return typeof said === 'boolean' ? said : true;
}

/** The tools that a group's settings and its channel leave, one list each. */
export function groupTools(
  entry: Pick<ChannelEntry, 'plugin' | 'call'>,
  access: AccessConfig,
  context: GroupContext,
  groupIds: readonly string[],
): readonly { readonly label: string; readonly lists: ToolLists }[] {
  const { plugin, call } = entry;
  const id = context.groupId ?? '';
  const { tools, toolsBySender } = groupOf(access.groups, ...groupIds) ?? {};
  const sender = isRecord(toolsBySender)
    ? (ownOf(toolsBySender, context.senderId ?? '') ?? ownOf(toolsBySender, '*'))
    : undefined;
  const said: unknown = call(`resolveToolPolicy of the channel ${plugin.id}`, () =>
    plugin.groups?.resolveToolPolicy?.(context),
  );
  const place = `channels.${plugin.id}.groups.${id}`;
  return [
    ...(isRecord(tools) ? [{ label: `${place}.tools (user config)`, lists: toLists(tools) }] : []),
    ...(isRecord(sender) ? [{ label: `${place}.toolsBySender (user config)`, lists: toLists(sender) }] : []),
    ...(isRecord(said)
      ? [{ label: `the group rules of the channel ${plugin.id}`, lists: toLists(said) }]
      : []),
  ];
}

function toLists(said: Readonly<Record<string, unknown>>): ToolLists {
  const [allow, deny, alsoAllow] = [said['allow'], said['deny'], said['alsoAllow']].map(listOf);
  return { allow: allow ?? [], deny: deny ?? [], alsoAllow: alsoAllow ?? [] };
}

/**
 * Whether a list names a sender: by its id as the channel gives it, or by `*`. The list may have the channel's prefix before an id; a
 * sender who has one is somebody else. Case counts where the plugin does not say otherwise.
 */
export function isListed(
  entry: Pick<ChannelEntry, 'plugin' | 'call'>,
  list: readonly string[],
  senderId: string,
): boolean {
  const { plugin, call } = entry;
  const prefix = `${plugin.id}:`;
  const normal = (text: string): string => {
    const said: unknown = call(`normalizeAllowEntry of the channel ${plugin.id}`, () =>
      plugin.pairing?.normalizeAllowEntry?.(text),
    );
    return typeof said === 'string' ? said : text;
  };
  const hasPrefix = (text: string): boolean => text.toLowerCase().startsWith(prefix);
  const wanted = normal(senderId);
  return list.some((each) => {
    if (each === '*' || each === senderId) return true;
    return (
      !hasPrefix(senderId) &&
      wanted !== '' &&
      normal(hasPrefix(each) ? each.slice(prefix.length) : each) === wanted
    );
  });
}

/** Whether a text names the agent: by one of the words of `patterns`, whole and in any case. Pure. */
export function mentions(text: string, patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

/** Of a message whose channel does not say whether the agent was mentioned: by the agent's name and what the config adds. Pure. */
export function mentionPatterns(cfg: Cfg, names: readonly string[]): readonly RegExp[] {
  const messages = isRecord(cfg['messages']) ? cfg['messages'] : {};
  const groupChat = isRecord(messages['groupChat']) ? messages['groupChat'] : {};
  const words = [...names, ...listOf(groupChat['mentionPatterns'])].filter((each) => each !== '');
  return words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])@?${escaped(word)}(?![\\p{L}\\p{N}_])`, 'iu'));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
