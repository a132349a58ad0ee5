import { accountKeyOf, channelSectionOf } from './channelAccounts.ts';
import { asRecord, isRecord, normalizeOptionalString } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';

/** What is set for groups: by group, by topic in it, and `*` for all others. */

interface ToolPolicy {
  readonly allow?: readonly string[];
  readonly alsoAllow?: readonly string[];
  readonly deny?: readonly string[];
}

export interface ChannelScopeNode {
  readonly requireMention?: boolean;
  readonly tools?: ToolPolicy;
  readonly toolsBySender?: Readonly<Record<string, ToolPolicy>>;
  readonly introHint?: string;
}

export interface ChannelScopeTree {
  readonly defaults?: ChannelScopeNode | undefined;
  readonly scopes: Readonly<Record<string, ChannelScopeNode>>;
}

interface ScopePlace {
  readonly tree: ChannelScopeTree;
  /** Keys of scopes, the widest first. */
  readonly path: readonly string[];
}

/** A name as part of a key that no other name can make. */
export function encodeScopeSegment(value: string): string {
  return `${String(value.length)}:${value}`;
}

/** The key of a scope: kinds and names from the widest to the narrowest. */
export function scopeKey(...segments: readonly (readonly [kind: string, value: string])[]): string {
  return segments.map(([kind, value]) => `${kind}:${encodeScopeSegment(value)}`).join('/');
}

/** What the settings of a channel, or of an account of it, say of its groups. */
export function buildChannelGroupsScopeTree(
  cfg: OpenClawConfig,
  channel: string,
  accountId?: string | null,
): ChannelScopeTree {
  const section = channelSectionOf(cfg, channel);
  const key = accountKeyOf(section['accounts'], accountId ?? '');
  const own = key === undefined ? {} : asRecord(asRecord(section['accounts'])[key]);
  const groups = isRecord(own['groups']) ? own['groups'] : asRecord(section['groups']);
  const { '*': defaults, ...scopes } = groups as Readonly<Record<string, ChannelScopeNode>>;
  return { defaults, scopes };
}

/** The key of a scope, however it is written. */
export function resolveScopeKeyCaseInsensitive(
  tree: ChannelScopeTree,
  key: string | null | undefined,
): string | undefined {
  if (key === null || key === undefined) return undefined;
  if (Object.hasOwn(tree.scopes, key)) return key;
  return Object.keys(tree.scopes).find((each) => each.toLowerCase() === key.toLowerCase());
}

/** Whether the agent answers only who mentions it: yes, unless it is set otherwise. */
export function resolveScopeRequireMention(
  params: ScopePlace & {
    readonly requireMentionOverride?: boolean;
    readonly overrideOrder?: 'before-config' | 'after-config';
    readonly configuredScopeDefaultsToNoMention?: boolean;
  },
): boolean {
  const { requireMentionOverride: override, overrideOrder = 'after-config' } = params;
  const configured = narrowest(params, ({ requireMention }) => requireMention);
  const found = overrideOrder === 'before-config' ? (override ?? configured) : (configured ?? override);
  if (found !== undefined) return found;
  const isNamed = params.path.some((key) => Object.hasOwn(params.tree.scopes, key));
  return !(params.configuredScopeDefaultsToNoMention === true && isNamed);
}

/** Which tools a sender has there; undefined where nothing is set. */
export function resolveScopeToolsPolicy(
  params: ScopePlace & {
    readonly senderId?: string | null;
    readonly senderUsername?: string | null;
    readonly senderName?: string | null;
    readonly senderE164?: string | null;
    readonly senderPolicyMode?: string;
  },
): ToolPolicy | undefined {
  const { senderPolicyMode, ...sender } = params;
  return narrowest(
    params,
    ({ tools, toolsBySender }) =>
      (senderPolicyMode === 'never' ? undefined : toolsOf(toolsBySender, sender)) ?? tools,
  );
}

/** The words that a group is introduced by. */
export function resolveScopeIntroHint(params: ScopePlace): string | undefined {
  return narrowest(params, ({ introHint }) => normalizeOptionalString(introHint));
}

function narrowest<T>(
  { tree, path }: ScopePlace,
  read: (node: ChannelScopeNode) => T | undefined,
): T | undefined {
  const nodes = [...path]
    .reverse()
    .map((key) => (Object.hasOwn(tree.scopes, key) ? tree.scopes[key] : undefined));
  for (const node of [...nodes, tree.defaults]) {
    const value = node === undefined ? undefined : read(node);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** By id before by name: a name can be taken by somebody else. */
function toolsOf(
  bySender: Readonly<Record<string, ToolPolicy>> | undefined,
  sender: {
    readonly senderId?: string | null;
    readonly senderE164?: string | null;
    readonly senderUsername?: string | null;
    readonly senderName?: string | null;
  },
): ToolPolicy | undefined {
  if (bySender === undefined) return undefined;
  const names = [
    ['id', sender.senderId],
    ['e164', sender.senderE164],
    ['username', sender.senderUsername],
    ['name', sender.senderName],
  ] as const;
  for (const [kind, name] of names) {
    const known = normalizeOptionalString(name)?.replace(/^@/u, '').toLowerCase();
    if (known === undefined) continue;
    const keys = Object.keys(bySender);
    const key = keys.find((each) => {
      const text = each.toLowerCase();
      return text === `${kind}:${known}` || (kind === 'id' && text === known);
    });
    if (key !== undefined) return bySender[key];
  }
  return bySender['*'];
}

export interface MentionFacts {
  readonly canDetectMention: boolean;
  readonly wasMentioned: boolean;
  readonly hasAnyMention?: boolean;
  readonly implicitMention?: boolean;
}

export interface MentionDecision {
  /** True where the agent was meant, or nobody has to name it. */
  readonly effectiveWasMentioned: boolean;
  readonly shouldSkip: boolean;
  readonly shouldBypassMention: boolean;
}

/** Whether a message of a group is for the agent. */
export function resolveMentionGating(
  params: MentionFacts & { readonly requireMention: boolean; readonly shouldBypassMention?: boolean },
): MentionDecision {
  const bypass = params.shouldBypassMention === true;
  const was = params.wasMentioned || params.implicitMention === true || bypass;
  return {
    effectiveWasMentioned: was,
    shouldSkip: params.requireMention && params.canDetectMention && !was,
    shouldBypassMention: bypass,
  };
}

/** The same where a command of somebody who may give it needs no mention. */
export function resolveMentionGatingWithBypass(
  params: MentionFacts & {
    readonly isGroup: boolean;
    readonly requireMention: boolean;
    readonly allowTextCommands: boolean;
    readonly hasControlCommand: boolean;
    readonly commandAuthorized: boolean;
  },
): MentionDecision {
  const isCommand = params.allowTextCommands && params.hasControlCommand && params.commandAuthorized;
  return resolveMentionGating({
    ...params,
    // Who names somebody else means somebody else.
    shouldBypassMention:
      params.isGroup &&
      params.requireMention &&
      !params.wasMentioned &&
      params.hasAnyMention !== true &&
      isCommand,
  });
}

/** Tells why a message goes no further. */
export function logInboundDrop(params: {
  readonly log: (message: string) => void;
  readonly channel: string;
  readonly reason: string;
  readonly target?: string;
  readonly hint?: string;
}): void {
  const { log, channel, reason, target, hint } = params;
  log(
    `${channel}: drop ${reason}${target === undefined ? '' : ` target=${target}`}${hint === undefined ? '' : `. ${hint}`}`,
  );
}

/** The names that an entry of a room may stand under, each once. */
export function buildChannelKeyCandidates(...keys: readonly (string | null | undefined)[]): string[] {
  return [...new Set(keys.flatMap((key) => (key ?? '').trim() || []))];
}

/** A room's name as a key: `Team Room` is `team-room`. */
export function normalizeChannelSlug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^#/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/gu, '');
}

/** The settings of a room: those of its own name, else those of the wildcard. */
export function resolveChannelEntryMatchWithFallback<T>(params: {
  readonly entries?: Readonly<Record<string, T>> | undefined;
  readonly keys: readonly string[];
  readonly wildcardKey?: string;
  readonly normalizeKey?: (key: string) => string;
}): {
  readonly entry?: T;
  readonly key?: string;
  readonly matchKey?: string;
  readonly matchSource?: 'direct' | 'wildcard';
  readonly wildcardEntry?: T;
  readonly wildcardKey?: string;
} {
  const { entries = {}, keys, wildcardKey, normalizeKey = (key: string) => key } = params;
  const wanted = keys.map(normalizeKey);
  const names = Object.keys(entries).filter((key) => key !== wildcardKey);
  const own =
    names.find((name) => keys.includes(name)) ?? names.find((name) => wanted.includes(normalizeKey(name)));
  const wild = wildcardKey === undefined ? undefined : entries[wildcardKey];
  const more = wild === undefined || wildcardKey === undefined ? {} : { wildcardEntry: wild, wildcardKey };
  const found = own === undefined ? undefined : entries[own];
  if (own !== undefined && found !== undefined)
    return { entry: found, key: own, matchKey: own, matchSource: 'direct', ...more };
  return wild === undefined || wildcardKey === undefined
    ? {}
    : { entry: wild, key: wildcardKey, matchKey: wildcardKey, matchSource: 'wildcard', ...more };
}
