// Members of `api.runtime.channel` that tell who may write: pairing, mentions and groups.
import { isRecord } from '../../base/json.ts';
import { pairingText } from '../admitSender.ts';
import type { ChannelEntry } from '../channelPlugin.ts';
import { accountSection, groupOf, groupsIn, mentionPatterns, mentions } from '../channelPolicy.ts';
import type { PairingRequest } from '../channels.ts';
import type { Pairing } from '../createPairing.ts';
import { idIn, nameIn, textOf } from './readContext.ts';

type Members = Readonly<Record<string, unknown>>;

interface PairingPorts {
  readonly pairing: Pick<Pairing, 'paired' | 'request' | 'unpair'>;
  /** @throws PincerError `channel_foreign` */
  readonly ownEntry: (channel: unknown) => ChannelEntry;
  readonly pairingRequested: (request: PairingRequest) => void;
}

export function pairingMembers({ pairing, ownEntry, pairingRequested }: PairingPorts): Members {
  const account = (params: Members): string => nameIn(params['accountId']) ?? 'default';
  const allowed = async (channel: string, accountId: string): Promise<string[]> =>
    (await pairing.paired())
      .filter((each) => each.channel === channel && each.accountId === accountId)
      .map(({ senderId }) => senderId);
  return {
    buildPairingReply: ({ code }: Members) => pairingText(String(code)),
    readAllowFromStore: (params: Members) => allowed(ownEntry(params['channel']).plugin.id, account(params)),
    async removeAllowFromStoreEntry(params: Members) {
      const channel = ownEntry(params['channel']).plugin.id;
      const entry = nameIn(params['entry']) ?? '';
      const before = await allowed(channel, account(params));
      if (before.includes(entry)) await pairing.unpair(channel, entry, account(params));
      return { changed: before.includes(entry), allowFrom: await allowed(channel, account(params)) };
    },
    async upsertPairingRequest(params: Members) {
      const channel = ownEntry(params['channel']).plugin.id;
      const senderId = idIn(params['id']);
      const meta = isRecord(params['meta']) ? params['meta'] : {};
      const senderName = nameIn(meta['name'] ?? meta['username'] ?? meta['firstName']);
      const asked =
        senderId === undefined
          ? undefined
          : await pairing.request({
              channel,
              accountId: account(params),
              senderId,
              ...(senderName === undefined ? {} : { senderName }),
            });
      // Upstream's answer where too many wait.
      if (asked === undefined) return { code: '', created: false };
      if (asked.created) pairingRequested(asked.request);
      return { code: asked.request.code, created: asked.created };
    },
  };
}

interface MentionPorts {
  readonly mainAgent: () => string;
  readonly namesOf: (agentId: string) => readonly string[];
}

export function mentionMembers({ mainAgent, namesOf }: MentionPorts): Members {
  const regexes = (value: unknown): readonly RegExp[] =>
    Array.isArray(value) ? value.filter((each): each is RegExp => each instanceof RegExp) : [];
  return {
    buildMentionRegexes: (cfg: unknown, agentId?: unknown) => [
      ...mentionPatterns(isRecord(cfg) ? cfg : {}, namesOf(nameIn(agentId) ?? mainAgent())),
    ],
    matchesMentionPatterns: (text: unknown, patterns: unknown) => mentions(textOf(text), regexes(patterns)),
    matchesMentionWithExplicit({ text, mentionRegexes, explicit }: Members) {
      const said = isRecord(explicit) ? explicit : {};
      return said['isExplicitlyMentioned'] === true || mentions(textOf(text), regexes(mentionRegexes));
    },
    implicitMentionKindWhen: (kind: unknown, enabled: unknown) => (enabled === true ? [kind] : []),
    resolveInboundMentionDecision(params: Members) {
      const said = {
        ...params,
        ...(isRecord(params['facts']) ? params['facts'] : {}),
        ...(isRecord(params['policy']) ? params['policy'] : {}),
      };
      const kinds = Array.isArray(said['implicitMentionKinds']) ? said['implicitMentionKinds'] : [];
      const allowed = said['allowedImplicitMentionKinds'];
      const matched = kinds.filter((each) => !Array.isArray(allowed) || allowed.includes(each));
      const was = said['wasMentioned'] === true || matched.length > 0;
      const shouldSkip =
        said['isGroup'] === true &&
        said['requireMention'] === true &&
        said['canDetectMention'] === true &&
        !was;
      return {
        effectiveWasMentioned: was,
        shouldSkip,
        implicitMention: matched.length > 0,
        matchedImplicitMentionKinds: matched,
        shouldBypassMention: false,
      };
    },
  };
}

export function groupMembers(): Members {
  const configOf = ({ cfg, channel, accountId, groupId }: Members) => {
    const section = accountSection(
      isRecord(cfg) ? cfg : {},
      nameIn(channel) ?? '',
      nameIn(accountId) ?? 'default',
    );
    const groups = groupsIn(section);
    return { section, groups, own: groupOf(groups, nameIn(groupId) ?? '') };
  };
  return {
    resolveGroupPolicy(params: Members) {
      const { section, groups, own } = configOf(params);
      const policy = section['groupPolicy'] ?? 'allowlist';
      return {
        allowlistEnabled: policy === 'allowlist',
        allowed: policy === 'open' || (policy === 'allowlist' && own !== undefined),
        groupConfig: own,
        defaultConfig: groups['*'],
      };
    },
    resolveRequireMention(params: Members) {
      const said = configOf(params).own?.requireMention ?? params['requireMentionOverride'];
      return typeof said === 'boolean' ? said : true;
    },
  };
}
