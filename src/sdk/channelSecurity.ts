import { DEFAULT_ACCOUNT_ID } from './accountId.ts';
import { accountKeyOf, channelSectionOf } from './channelAccounts.ts';
import { asRecord } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';
import type { ChannelAllowFrom } from './types/channelTypes.ts';

/** Who may write to a channel, and what is said where that is everybody. */

export type DmPolicy = 'pairing' | 'allowlist' | 'open' | 'disabled';
export type GroupPolicy = 'open' | 'disabled' | 'allowlist';

export interface ChannelDmSecurity {
  readonly policy: string;
  readonly allowFrom: readonly (string | number)[];
  /** Where the user sets it. */
  readonly policyPath: string | undefined;
  readonly allowFromPath: string;
  readonly approveHint: string;
  readonly normalizeEntry: ((raw: string) => string) | undefined;
}

interface DmPlaces {
  readonly channelKey: string;
  readonly defaultPolicy?: string;
  readonly allowFromPathSuffix?: string;
  readonly policyPathSuffix?: string;
  readonly approveChannelId?: string;
  readonly approveHint?: string;
  readonly normalizeEntry?: (raw: string) => string;
}

/** How the user lets somebody in. */
export function formatPairingApproveHint(channel: string): string {
  return `Let senders of ${channel} in with: pincer channels pair <code>`;
}

/** How direct messages of an account are let in, and where that is set. */
export function buildAccountScopedDmSecurityPolicy(
  params: DmPlaces & {
    readonly cfg: OpenClawConfig;
    readonly accountId?: string | null;
    readonly fallbackAccountId?: string | null;
    readonly policy?: string | null;
    readonly allowFrom?: ChannelAllowFrom;
  },
): ChannelDmSecurity {
  const { cfg, channelKey, policyPathSuffix, allowFromPathSuffix = '' } = params;
  const accountId = params.accountId ?? params.fallbackAccountId ?? DEFAULT_ACCOUNT_ID;
  const { accounts } = channelSectionOf(cfg, channelKey);
  const key = accountKeyOf(accounts, accountId);
  const own = key === undefined ? {} : asRecord(asRecord(accounts)[key]);
  const fields = [policyPathSuffix ?? 'dmPolicy', allowFromPathSuffix || 'allowFrom'];
  const isOwn = key !== undefined && fields.some((field) => own[field.split('.')[0] ?? ''] !== undefined);
  const base = `channels.${channelKey}.${isOwn ? `accounts.${key}.` : ''}`;
  return {
    policy: params.policy ?? params.defaultPolicy ?? 'pairing',
    allowFrom: params.allowFrom ?? [],
    policyPath: policyPathSuffix === undefined ? undefined : `${base}${policyPathSuffix}`,
    allowFromPath: `${base}${allowFromPathSuffix}`,
    approveHint: params.approveHint ?? formatPairingApproveHint(params.approveChannelId ?? channelKey),
    normalizeEntry: params.normalizeEntry,
  };
}

export interface ScopedDmParams<A = never> extends DmPlaces {
  readonly resolvePolicy: (account: A) => string | null | undefined;
  readonly resolveAllowFrom: (account: A) => ChannelAllowFrom;
  readonly resolveFallbackAccountId?: (account: A) => string | null | undefined;
  readonly resolveAccess?: (params: {
    readonly cfg: OpenClawConfig;
    readonly accountId?: string | null;
    readonly account: A;
  }) => { readonly dmPolicy?: string | null; readonly allowFrom?: ChannelAllowFrom };
}

/** The `resolveDmPolicy` of a `security` adapter. */
export function createScopedDmSecurityResolver<A extends { readonly accountId?: string | null }>(
  params: ScopedDmParams<A>,
): (request: {
  readonly cfg: OpenClawConfig;
  readonly accountId?: string | null;
  readonly account: A;
}) => ChannelDmSecurity {
  return (request) => {
    const { cfg, accountId, account } = request;
    const access = params.resolveAccess?.(request);
    const fallback = params.resolveFallbackAccountId?.(account) ?? account.accountId;
    return buildAccountScopedDmSecurityPolicy({
      ...params,
      cfg,
      ...(accountId === undefined ? {} : { accountId }),
      ...(fallback === undefined ? {} : { fallbackAccountId: fallback }),
      policy: access?.dmPolicy ?? params.resolvePolicy(account) ?? null,
      allowFrom: access?.allowFrom ?? params.resolveAllowFrom(account) ?? [],
    });
  };
}

/** What holds for groups where an account says nothing: the user's default for all channels. */
export function resolveDefaultGroupPolicy(cfg: OpenClawConfig): GroupPolicy | undefined {
  const policy = asRecord(asRecord(cfg['channels'])['defaults'])['groupPolicy'];
  return policy === 'open' || policy === 'disabled' || policy === 'allowlist' ? policy : undefined;
}

interface RuntimeGroupPolicy {
  readonly groupPolicy: GroupPolicy;
  /** True where the channel has no settings at all. */
  readonly providerMissingFallbackApplied: boolean;
}

interface RuntimeGroupParams {
  readonly providerConfigPresent: boolean;
  readonly groupPolicy?: GroupPolicy | null;
  readonly defaultGroupPolicy?: GroupPolicy | null;
}

/** What holds for groups as messages come in: `allowlist` where nothing is set. */
export function resolveAllowlistProviderRuntimeGroupPolicy(params: RuntimeGroupParams): RuntimeGroupPolicy {
  return runtimePolicy(params, 'allowlist');
}

/** The same of channels that answer in every group unless they are told otherwise. */
export function resolveOpenProviderRuntimeGroupPolicy(params: RuntimeGroupParams): RuntimeGroupPolicy {
  return runtimePolicy(params, 'open');
}

function runtimePolicy(params: RuntimeGroupParams, byDefault: GroupPolicy): RuntimeGroupPolicy {
  if (params.providerConfigPresent) {
    const groupPolicy = params.groupPolicy ?? params.defaultGroupPolicy ?? byDefault;
    return { groupPolicy, providerMissingFallbackApplied: false };
  }
  // Nothing is open that nobody has set up.
  const isMissing = params.groupPolicy === undefined || params.groupPolicy === null;
  return { groupPolicy: params.groupPolicy ?? 'allowlist', providerMissingFallbackApplied: isMissing };
}

type Collector<P> = (params: P) => string | readonly string[] | null | undefined | false;

export interface SecurityFinding {
  readonly checkId: string;
  readonly severity: string;
  readonly title: string;
  readonly detail: string;
}

export interface ConditionalWarningCollector {
  <P>(...collectors: readonly Collector<P>[]): (params: P) => string[];
  readonly findings: <P>(options: FindingOptions<P>) => (params: P) => SecurityFinding[];
}

interface FindingOptions<P> {
  readonly collectWarnings: (params: P) => readonly string[];
  readonly checkId: string;
  readonly severity: string;
  readonly title: string;
}

/** Warnings of all of them that have one; `findings` gives them the form of an audit. */
export const createConditionalWarningCollector: ConditionalWarningCollector = Object.assign(composeWarnings, {
  findings:
    <P>(options: FindingOptions<P>) =>
    (params: P): SecurityFinding[] => {
      const { collectWarnings, checkId, severity, title } = options;
      return collectWarnings(params).map((detail) => ({ checkId, severity, title, detail }));
    },
});

function composeWarnings<P>(...collectors: readonly Collector<P>[]): (params: P) => string[] {
  return (params) =>
    collectors.flatMap((collect) => {
      const found = collect(params);
      if (typeof found === 'string') return found === '' ? [] : [found];
      return found === null || found === undefined || found === false ? [] : [...found];
    });
}

interface OpenGroupWarning {
  readonly surface: string;
  readonly openScope: string;
  readonly groupPolicyPath: string;
  readonly groupAllowFromPath: string;
  readonly mentionGated?: boolean;
}

/** What is said of groups that everybody in them may use. */
export function buildOpenGroupPolicyRestrictSendersWarning(params: OpenGroupWarning): string {
  const { surface, openScope, groupPolicyPath, groupAllowFromPath, mentionGated = true } = params;
  const asked = mentionGated ? ' by a mention' : '';
  return `- ${surface}: groupPolicy="open" lets ${openScope} ask the agent${asked}. Set ${groupPolicyPath}="allowlist" and ${groupAllowFromPath} to name who may.`;
}

/** The same in other words. */
export function buildOpenGroupPolicyWarning(params: {
  readonly surface: string;
  readonly openBehavior: string;
  readonly remediation: string;
}): string {
  return `- ${params.surface}: groupPolicy="open" ${params.openBehavior}. ${params.remediation}.`;
}

interface GroupPolicyReader<P> {
  readonly providerConfigPresent: (cfg: OpenClawConfig) => boolean;
  readonly resolveGroupPolicy: (params: P) => GroupPolicy | null | undefined;
}

type WithConfig = object & { readonly cfg: OpenClawConfig };

/** Warnings by what holds for groups, of channels whose default is `allowlist`. */
export function createAllowlistProviderGroupPolicyWarningCollector<P extends WithConfig>(
  params: GroupPolicyReader<P> & {
    readonly collect: (params: P & { readonly groupPolicy: GroupPolicy }) => string[];
  },
): (params: P) => string[] {
  return policyCollector(params, 'allowlist');
}

/** The same of channels whose default is `open`. */
export function createOpenProviderGroupPolicyWarningCollector<P extends WithConfig>(
  params: GroupPolicyReader<P> & {
    readonly collect: (params: P & { readonly groupPolicy: GroupPolicy }) => string[];
  },
): (params: P) => string[] {
  return policyCollector(params, 'open');
}

function policyCollector<P extends WithConfig>(
  params: GroupPolicyReader<P> & {
    readonly collect: (params: P & { readonly groupPolicy: GroupPolicy }) => string[];
  },
  byDefault: GroupPolicy,
): (params: P) => string[] {
  return (request) => {
    const { groupPolicy } = runtimePolicy(
      {
        providerConfigPresent: params.providerConfigPresent(request.cfg),
        groupPolicy: params.resolveGroupPolicy(request) ?? null,
        defaultGroupPolicy: resolveDefaultGroupPolicy(request.cfg) ?? null,
      },
      byDefault,
    );
    return params.collect({ ...request, groupPolicy });
  };
}

type AccountRequest<A> = WithConfig & { readonly account: A };

/** The warning of accounts whose groups everybody may use. */
export function createAllowlistProviderRestrictSendersWarningCollector<A>(
  params: OpenGroupWarning & GroupPolicyReader<A>,
): (params: AccountRequest<A>) => string[] {
  return createAllowlistProviderGroupPolicyWarningCollector<AccountRequest<A>>({
    providerConfigPresent: params.providerConfigPresent,
    resolveGroupPolicy: ({ account }) => params.resolveGroupPolicy(account),
    collect: ({ groupPolicy }) =>
      groupPolicy === 'open' ? [buildOpenGroupPolicyRestrictSendersWarning(params)] : [],
  });
}

/** The same with words of the channel's own. */
export function createAllowlistProviderOpenWarningCollector<A>(
  params: GroupPolicyReader<A> & {
    readonly buildOpenWarning: Parameters<typeof buildOpenGroupPolicyWarning>[0];
  },
): (params: AccountRequest<A>) => string[] {
  return createAllowlistProviderGroupPolicyWarningCollector<AccountRequest<A>>({
    providerConfigPresent: params.providerConfigPresent,
    resolveGroupPolicy: ({ account }) => params.resolveGroupPolicy(account),
    collect: ({ groupPolicy }) =>
      groupPolicy === 'open' ? [buildOpenGroupPolicyWarning(params.buildOpenWarning)] : [],
  });
}

/** The same of channels that can name rooms: with none named it is worse. */
export function createAllowlistProviderRouteAllowlistWarningCollector<A>(
  params: GroupPolicyReader<A> & {
    readonly resolveRouteAllowlistConfigured: (account: A) => boolean;
    readonly restrictSenders: OpenGroupWarning;
    readonly noRouteAllowlist: Omit<OpenGroupWarning, 'openScope'> & {
      readonly routeAllowlistPath: string;
      readonly routeScope: string;
    };
  },
): (params: AccountRequest<A>) => string[] {
  const { restrictSenders, noRouteAllowlist: none } = params;
  const roomsOpen = `- ${none.surface}: groupPolicy="open" with no ${none.routeAllowlistPath} lets anybody in any ${none.routeScope} ask the agent. Set ${none.groupPolicyPath}="allowlist" and ${none.groupAllowFromPath}, or name what is meant in ${none.routeAllowlistPath}.`;
  return createAllowlistProviderGroupPolicyWarningCollector<AccountRequest<A>>({
    providerConfigPresent: params.providerConfigPresent,
    resolveGroupPolicy: ({ account }) => params.resolveGroupPolicy(account),
    collect: ({ groupPolicy, account }) => {
      if (groupPolicy !== 'open') return [];
      return params.resolveRouteAllowlistConfigured(account)
        ? [buildOpenGroupPolicyRestrictSendersWarning(restrictSenders)]
        : [roomsOpen];
    },
  });
}

/** The same of channels whose default is `open`. */
export function createOpenProviderConfiguredRouteWarningCollector<A>(
  params: GroupPolicyReader<A> & {
    readonly resolveRouteAllowlistConfigured: (account: A) => boolean;
    readonly configureRouteAllowlist: Omit<OpenGroupWarning, 'groupAllowFromPath'> & {
      readonly routeAllowlistPath: string;
    };
    readonly missingRouteAllowlist: Parameters<typeof buildOpenGroupPolicyWarning>[0];
  },
): (params: AccountRequest<A>) => string[] {
  const { configureRouteAllowlist: rooms } = params;
  return createOpenProviderGroupPolicyWarningCollector<AccountRequest<A>>({
    providerConfigPresent: params.providerConfigPresent,
    resolveGroupPolicy: ({ account }) => params.resolveGroupPolicy(account),
    collect: ({ groupPolicy, account }) => {
      if (groupPolicy !== 'open') return [];
      return params.resolveRouteAllowlistConfigured(account)
        ? [
            buildOpenGroupPolicyRestrictSendersWarning({
              ...rooms,
              groupAllowFromPath: rooms.routeAllowlistPath,
            }),
          ]
        : [buildOpenGroupPolicyWarning(params.missingRouteAllowlist)];
    },
  });
}

/** A `security` adapter: direct messages by allowlist or pairing, and the warning of open groups. */
export function createRestrictSendersChannelSecurity<A extends { readonly accountId?: string | null }>(
  params: OpenGroupWarning &
    DmPlaces & {
      readonly resolveDmPolicy: (account: A) => string | null | undefined;
      readonly resolveDmAllowFrom: (account: A) => ChannelAllowFrom;
      readonly resolveGroupPolicy: (account: A) => GroupPolicy | null | undefined;
      readonly resolveFallbackAccountId?: (account: A) => string | null | undefined;
      readonly providerConfigPresent?: (cfg: OpenClawConfig) => boolean;
      readonly defaultDmPolicy?: string;
      readonly normalizeDmEntry?: (raw: string) => string;
      readonly findingTitle?: string;
    },
): {
  readonly resolveDmPolicy: ReturnType<typeof createScopedDmSecurityResolver<A>>;
  readonly collectWarnings: (params: AccountRequest<A>) => SecurityFinding[];
} {
  const { channelKey, surface, findingTitle, defaultDmPolicy, normalizeDmEntry } = params;
  const isThere = (cfg: OpenClawConfig): boolean => asRecord(cfg['channels'])[channelKey] !== undefined;
  return {
    resolveDmPolicy: createScopedDmSecurityResolver<A>({
      ...params,
      resolvePolicy: params.resolveDmPolicy,
      resolveAllowFrom: params.resolveDmAllowFrom,
      ...(defaultDmPolicy === undefined ? {} : { defaultPolicy: defaultDmPolicy }),
      ...(normalizeDmEntry === undefined ? {} : { normalizeEntry: normalizeDmEntry }),
    }),
    collectWarnings: createConditionalWarningCollector.findings({
      collectWarnings: createAllowlistProviderRestrictSendersWarningCollector<A>({
        ...params,
        providerConfigPresent: params.providerConfigPresent ?? isThere,
      }),
      checkId: `channels.${channelKey}.groups.open`,
      severity: 'warn',
      title: findingTitle ?? `${surface} security warning`,
    }),
  };
}
