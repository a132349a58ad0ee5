import { DEFAULT_ACCOUNT_ID, normalizeAccountId, normalizeOptionalAccountId } from './accountId.ts';
import { asRecord, isRecord, normalizeOptionalString } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';

/** What the configuration says of one channel. */
export type ChannelSection = Readonly<Record<string, unknown>>;

/** `channels.<channel>`; empty where nothing is set. */
export function channelSectionOf(cfg: OpenClawConfig, channel: string): ChannelSection {
  return asRecord(asRecord(cfg['channels'])[channel]);
}

/** The configuration with another section of a channel; undefined takes it out. Nothing is written. */
export function withChannelSection(
  cfg: OpenClawConfig,
  channel: string,
  section: ChannelSection | undefined,
): OpenClawConfig {
  const { [channel]: _old, ...others } = asRecord(cfg['channels']);
  const channels = section === undefined ? others : { ...others, [channel]: section };
  return { ...cfg, channels };
}

/** Under which key an account's settings stand: as written, or as its id; undefined where there are none. */
export function accountKeyOf(accounts: unknown, accountId: string): string | undefined {
  const known = asRecord(accounts);
  if (Object.hasOwn(known, accountId)) return accountId;
  const id = normalizeAccountId(accountId);
  return Object.keys(known).find((key) => normalizeAccountId(key) === id);
}

/** True for what counts as set: text that is not blank, and whatever is neither null nor missing. */
export function hasConfiguredAccountValue(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
}

export interface AccountListOptions {
  readonly normalizeAccountId?: (id: string) => string;
  /** Keys of the channel's section that make an account of its own (`default`). */
  readonly implicitDefaultAccount?: {
    readonly channelKeys?: readonly string[];
    readonly envVars?: readonly string[];
  };
  readonly hasImplicitDefaultAccount?: (cfg: OpenClawConfig) => boolean;
  readonly resolveImplicitAccountId?: (cfg: OpenClawConfig) => string | undefined;
  readonly additionalAccountIds?: (cfg: OpenClawConfig) => readonly string[];
  /** What is listed where there is none; default `default`, false for nothing. */
  readonly fallbackAccountIdWhenEmpty?: string | false;
  readonly allowUnlistedDefaultAccount?: boolean;
  readonly omitKeys?: readonly string[];
  readonly nestedObjectKeys?: readonly string[];
}

export interface AccountListHelpers {
  readonly listConfiguredAccountIds: (cfg: OpenClawConfig) => string[];
  /** Sorted; never empty unless the options say so. */
  readonly listAccountIds: (cfg: OpenClawConfig) => string[];
  readonly resolveDefaultAccountId: (cfg: OpenClawConfig) => string;
  /** The account's settings over those of the channel. */
  readonly resolveAccountConfig: (cfg: OpenClawConfig, accountId: string) => Record<string, unknown>;
}

/** Which accounts a channel has by its settings. */
export function createAccountListHelpers(
  channel: string,
  options: AccountListOptions = {},
): AccountListHelpers {
  const { implicitDefaultAccount: implicit, normalizeAccountId: normalize = (id: string) => id } = options;

  function listConfiguredAccountIds(cfg: OpenClawConfig): string[] {
    const keys = Object.keys(asRecord(channelSectionOf(cfg, channel)['accounts']));
    return [...new Set(keys.map(normalize).filter((id) => id !== ''))];
  }
  function implicitAccount(cfg: OpenClawConfig): string | undefined {
    if (options.resolveImplicitAccountId !== undefined) return options.resolveImplicitAccountId(cfg);
    const section = channelSectionOf(cfg, channel);
    const isThere =
      options.hasImplicitDefaultAccount?.(cfg) === true ||
      implicit?.channelKeys?.some((key) => hasConfiguredAccountValue(section[key])) === true ||
      implicit?.envVars?.some((name) => hasConfiguredAccountValue(process.env[name] ?? '')) === true;
    return isThere ? DEFAULT_ACCOUNT_ID : undefined;
  }
  function listAccountIds(cfg: OpenClawConfig): string[] {
    const implied = implicitAccount(cfg);
    const ids = new Set([
      ...listConfiguredAccountIds(cfg),
      ...(options.additionalAccountIds?.(cfg) ?? []),
      ...(implied === undefined ? [] : [implied]),
    ]);
    const { fallbackAccountIdWhenEmpty: fallback = DEFAULT_ACCOUNT_ID } = options;
    if (ids.size === 0 && fallback !== false) ids.add(fallback);
    return [...ids].sort();
  }
  return {
    listConfiguredAccountIds,
    listAccountIds,
    resolveDefaultAccountId(cfg) {
      const ids = listAccountIds(cfg);
      const wanted = normalizeOptionalAccountId(channelSectionOf(cfg, channel)['defaultAccount']);
      const listed = ids.find((id) => normalizeAccountId(id) === wanted);
      if (listed !== undefined) return listed;
      if (wanted !== undefined && options.allowUnlistedDefaultAccount === true) return wanted;
      return ids.includes(DEFAULT_ACCOUNT_ID) ? DEFAULT_ACCOUNT_ID : (ids[0] ?? DEFAULT_ACCOUNT_ID);
    },
    resolveAccountConfig(cfg, accountId) {
      const channelConfig = channelSectionOf(cfg, channel);
      return resolveMergedAccountConfig({ ...options, channelConfig, accountId });
    },
  };
}

export interface MergeAccountParams {
  readonly channelConfig?: ChannelSection | undefined;
  readonly accountConfig?: ChannelSection | undefined;
  /** Keys that accounts don't take from the channel; `accounts` in any case. */
  readonly omitKeys?: readonly string[];
  /** Objects that are merged key by key. */
  readonly nestedObjectKeys?: readonly string[];
}

/** An account's settings over those of the channel. */
export function mergeAccountConfig(params: MergeAccountParams): Record<string, unknown> {
  const { channelConfig = {}, accountConfig = {}, omitKeys = [], nestedObjectKeys = [] } = params;
  const omitted = new Set(['accounts', ...omitKeys]);
  const base = Object.fromEntries(Object.entries(channelConfig).filter(([key]) => !omitted.has(key)));
  const nested = nestedObjectKeys.flatMap((key): [string, unknown][] => {
    const [ofChannel, ofAccount] = [base[key], accountConfig[key]];
    return isRecord(ofChannel) && isRecord(ofAccount) ? [[key, { ...ofChannel, ...ofAccount }]] : [];
  });
  return { ...base, ...accountConfig, ...Object.fromEntries(nested) };
}

/** The same for an account that is looked up by its id. */
export function resolveMergedAccountConfig(
  params: Omit<MergeAccountParams, 'accountConfig'> & {
    readonly accountId: string;
    readonly accounts?: unknown;
  },
): Record<string, unknown> {
  const accounts = asRecord(params.accounts ?? params.channelConfig?.['accounts']);
  const key = accountKeyOf(accounts, params.accountId);
  return mergeAccountConfig({ ...params, accountConfig: key === undefined ? {} : asRecord(accounts[key]) });
}

interface AccountSnapshotParams {
  readonly account: { readonly accountId?: string; readonly name?: unknown; readonly enabled?: boolean };
  readonly configured?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What lists of accounts show of one. */
export function describeAccountSnapshot({ account, configured, extra }: AccountSnapshotParams): {
  readonly accountId: string;
  readonly name: string | undefined;
  readonly enabled: boolean;
  readonly configured: boolean | undefined;
} {
  return {
    accountId: account.accountId ?? DEFAULT_ACCOUNT_ID,
    name: normalizeOptionalString(account.name),
    enabled: account.enabled !== false,
    configured,
    ...extra,
  };
}

/** The same of an account that messages come to by HTTP. */
export function describeWebhookAccountSnapshot(
  params: AccountSnapshotParams & { readonly mode?: string },
): ReturnType<typeof describeAccountSnapshot> & { readonly mode: string } {
  const { mode = 'webhook', extra } = params;
  return { mode, ...describeAccountSnapshot(params), ...extra };
}

/** Whether an action is on: by the account, else by the channel, else by default. */
export function createAccountActionGate(params: {
  readonly baseActions?: Readonly<Record<string, boolean | undefined>>;
  readonly accountActions?: Readonly<Record<string, boolean | undefined>>;
}): (key: string, byDefault?: boolean) => boolean {
  return (key, byDefault = true) => params.accountActions?.[key] ?? params.baseActions?.[key] ?? byDefault;
}

/** Bytes that a medium may have: by the channel, else by the agents' default; undefined without a limit. */
export function resolveChannelMediaMaxBytes(params: {
  readonly cfg: OpenClawConfig;
  readonly resolveChannelLimitMb: (params: {
    readonly cfg: OpenClawConfig;
    readonly accountId: string;
  }) => number | undefined;
  readonly accountId?: string | null;
}): number | undefined {
  const accountId = normalizeAccountId(params.accountId);
  const ofAgents = asRecord(asRecord(params.cfg['agents'])['defaults'])['mediaMaxMb'];
  const limit = params.resolveChannelLimitMb({ cfg: params.cfg, accountId }) ?? ofAgents;
  return typeof limit === 'number' && limit > 0 ? limit * 1024 * 1024 : undefined;
}

/** An account; without an id the default one, where the first choice has no credentials. */
export function resolveAccountWithDefaultFallback<T>(params: {
  readonly accountId?: string | null;
  readonly normalizeAccountId: (id?: string | null) => string;
  readonly resolvePrimary: (accountId: string) => T;
  readonly hasCredential: (account: T) => boolean;
  readonly resolveDefaultAccountId: () => string;
}): T {
  const wanted = params.normalizeAccountId(params.accountId);
  const first = params.resolvePrimary(wanted);
  const isNamed = (params.accountId ?? '').trim() !== '';
  if (isNamed || params.hasCredential(first)) return first;
  const other = params.resolveDefaultAccountId();
  const second = other === wanted ? undefined : params.resolvePrimary(other);
  return second !== undefined && params.hasCredential(second) ? second : first;
}
