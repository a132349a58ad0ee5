import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from './accountId.ts';
import { channelSectionOf, withChannelSection } from './channelAccounts.ts';
import { deleteAccountFromConfigSection, setAccountEnabledInConfigSection } from './channelConfigEdits.ts';
import { normalizeOptionalString } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';
import type { ChannelAllowFrom } from './types/channelTypes.ts';

interface AccountRef {
  readonly cfg: OpenClawConfig;
  readonly accountId?: string | null;
}

/** The `config` adapter of a channel: its accounts, and changed copies of the configuration. */
export interface ChannelConfigAdapter<A> {
  listAccountIds(cfg: OpenClawConfig): string[];
  resolveAccount(cfg: OpenClawConfig, accountId?: string | null): A;
  inspectAccount?: ((cfg: OpenClawConfig, accountId?: string | null) => unknown) | undefined;
  defaultAccountId(cfg: OpenClawConfig): string;
  setAccountEnabled(params: AccountRef & { readonly enabled: boolean }): OpenClawConfig;
  deleteAccount(params: AccountRef): OpenClawConfig;
  resolveAllowFrom?(params: AccountRef): string[];
  formatAllowFrom?(params: { readonly allowFrom: readonly (string | number)[] }): string[];
  resolveDefaultTo?(params: AccountRef): string | undefined;
}

interface BaseParams<A> {
  readonly sectionKey: string;
  readonly listAccountIds: (cfg: OpenClawConfig) => string[];
  readonly resolveAccount: (cfg: OpenClawConfig, accountId?: string | null) => A;
  readonly defaultAccountId: (cfg: OpenClawConfig) => string;
  readonly inspectAccount?: (cfg: OpenClawConfig, accountId?: string | null) => unknown;
  readonly clearBaseFields: readonly string[];
}

interface AccessorParams<B> {
  readonly resolveAllowFrom: (account: B) => ChannelAllowFrom;
  readonly formatAllowFrom: (allowFrom: readonly (string | number)[]) => string[];
  readonly resolveDefaultTo?: (account: B) => string | number | null | undefined;
}

type AdapterParams<A, B> = AccessorParams<B> & {
  readonly resolveAccessorAccount?: (params: AccountRef) => B;
} & BaseParams<A>;

/** Entries of an allowlist as texts. */
export function mapAllowFromEntries(allowFrom: ChannelAllowFrom): string[] {
  return (allowFrom ?? []).map(String);
}

/** The same, trimmed, without blank ones. */
export function formatTrimmedAllowFromEntries(allowFrom: ChannelAllowFrom): string[] {
  return mapAllowFromEntries(allowFrom)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The same in lower case, without the prefix that names the channel. */
export function formatAllowFromLowercase(params: {
  readonly allowFrom: ChannelAllowFrom;
  readonly stripPrefixRe?: RegExp;
}): string[] {
  return formatTrimmedAllowFromEntries(params.allowFrom)
    .map((entry) => (params.stripPrefixRe === undefined ? entry : entry.replace(params.stripPrefixRe, '')))
    .map((entry) => entry.toLowerCase());
}

/** The first of a sender's names that is on the list; `*` lets everybody in. */
export function resolveAllowlistMatchByCandidates<T extends string>(params: {
  readonly allowList: readonly string[];
  readonly candidates: readonly { readonly value?: string | undefined; readonly source: T }[];
}): { readonly allowed: boolean; readonly matchKey?: string; readonly matchSource?: T | 'wildcard' } {
  const { allowList, candidates } = params;
  if (allowList.includes('*')) return { allowed: true, matchKey: '*', matchSource: 'wildcard' };
  for (const { value, source } of candidates)
    if (value !== undefined && value !== '' && allowList.includes(value))
      return { allowed: true, matchKey: value, matchSource: source };
  return { allowed: false };
}

/** An allowlist that everybody is on. */
export function addWildcardAllowFrom(allowFrom: ChannelAllowFrom): string[] {
  const entries = formatTrimmedAllowFromEntries(allowFrom);
  return entries.includes('*') ? entries : [...entries, '*'];
}

/** Both lists as one, each entry once. */
export function mergeAllowFromEntries(current: ChannelAllowFrom, more: ChannelAllowFrom): string[] {
  return [...new Set([...formatTrimmedAllowFromEntries(current), ...formatTrimmedAllowFromEntries(more)])];
}

/** Trimmed entries, each once. */
export function normalizeAllowFromList(list: ChannelAllowFrom): string[] {
  return mergeAllowFromEntries(list, []);
}

/** A setting as trimmed text. */
export function resolveOptionalConfigString(value: string | number | null | undefined): string | undefined {
  return normalizeOptionalString(typeof value === 'number' ? String(value) : value);
}

/** For callers that pass configuration and account one by one. */
export function adaptScopedAccountAccessor<T>(
  accessor: (params: AccountRef) => T,
): (cfg: OpenClawConfig, accountId?: string | null) => T {
  return (cfg, accountId) => accessor({ cfg, ...(accountId === undefined ? {} : { accountId }) });
}

/** Allowlist and default target of the account that `resolveAccount` finds. */
export function createScopedAccountConfigAccessors<B>(
  params: AccessorParams<B> & { readonly resolveAccount: (params: AccountRef) => B },
): Pick<ChannelConfigAdapter<unknown>, 'resolveAllowFrom' | 'formatAllowFrom' | 'resolveDefaultTo'> {
  const { resolveAccount, resolveDefaultTo } = params;
  return {
    resolveAllowFrom: (ref) => mapAllowFromEntries(params.resolveAllowFrom(resolveAccount(ref))),
    formatAllowFrom: ({ allowFrom }) => params.formatAllowFrom(allowFrom),
    ...(resolveDefaultTo === undefined
      ? {}
      : { resolveDefaultTo: (ref) => resolveOptionalConfigString(resolveDefaultTo(resolveAccount(ref))) }),
  };
}

/** For channels that have accounts by name. */
export function createScopedChannelConfigBase<A>(
  params: BaseParams<A> & { readonly allowTopLevel?: boolean },
): ChannelConfigAdapter<A> {
  const { sectionKey, clearBaseFields, allowTopLevel = true } = params;
  return {
    ...readersOf(params),
    setAccountEnabled: (ref) => setAccountEnabledInConfigSection({ ...ref, sectionKey, allowTopLevel }),
    deleteAccount: (ref) => deleteAccountFromConfigSection({ ...ref, sectionKey, clearBaseFields }),
  };
}

/** For channels whose default account is the channel itself, with others by name beside it. */
export function createHybridChannelConfigBase<A>(
  params: BaseParams<A> & { readonly preserveSectionOnDefaultDelete?: boolean },
): ChannelConfigAdapter<A> {
  const { sectionKey, clearBaseFields, preserveSectionOnDefaultDelete = false } = params;
  const isDefault = ({ accountId }: AccountRef): boolean =>
    normalizeAccountId(accountId) === DEFAULT_ACCOUNT_ID;
  return {
    ...readersOf(params),
    setAccountEnabled: (ref) =>
      isDefault(ref)
        ? withFields(ref.cfg, sectionKey, { enabled: ref.enabled })
        : setAccountEnabledInConfigSection({ ...ref, sectionKey }),
    deleteAccount: (ref) =>
      isDefault(ref) && preserveSectionOnDefaultDelete
        ? withoutFields(ref.cfg, sectionKey, clearBaseFields)
        : deleteAccountFromConfigSection({ ...ref, sectionKey, clearBaseFields }),
  };
}

/** For channels that have one account, which is the channel itself. */
export function createTopLevelChannelConfigBase<A>(params: {
  readonly sectionKey: string;
  readonly resolveAccount: (cfg: OpenClawConfig) => A;
  readonly listAccountIds?: (cfg: OpenClawConfig) => string[];
  readonly defaultAccountId?: (cfg: OpenClawConfig) => string;
  readonly inspectAccount?: (cfg: OpenClawConfig) => unknown;
  readonly deleteMode?: 'remove-section' | 'clear-fields';
  readonly clearBaseFields?: readonly string[];
}): ChannelConfigAdapter<A> {
  const { sectionKey, inspectAccount, deleteMode, clearBaseFields = [] } = params;
  return {
    listAccountIds: (cfg) => params.listAccountIds?.(cfg) ?? [DEFAULT_ACCOUNT_ID],
    resolveAccount: (cfg) => params.resolveAccount(cfg),
    inspectAccount: inspectAccount === undefined ? undefined : (cfg) => inspectAccount(cfg),
    defaultAccountId: (cfg) => params.defaultAccountId?.(cfg) ?? DEFAULT_ACCOUNT_ID,
    setAccountEnabled: ({ cfg, enabled }) => withFields(cfg, sectionKey, { enabled }),
    deleteAccount: ({ cfg }) =>
      deleteMode === 'clear-fields'
        ? withoutFields(cfg, sectionKey, clearBaseFields)
        : withChannelSection(cfg, sectionKey, undefined),
  };
}

/** `createScopedChannelConfigBase` with allowlist and default target. */
export function createScopedChannelConfigAdapter<A, B = A>(
  params: AdapterParams<A, B> & { readonly allowTopLevel?: boolean },
): ChannelConfigAdapter<A> {
  return { ...createScopedChannelConfigBase(params), ...accessorsOf(params) };
}

/** `createHybridChannelConfigBase` with allowlist and default target. */
export function createHybridChannelConfigAdapter<A, B = A>(
  params: AdapterParams<A, B> & { readonly preserveSectionOnDefaultDelete?: boolean },
): ChannelConfigAdapter<A> {
  return { ...createHybridChannelConfigBase(params), ...accessorsOf(params) };
}

/** `createTopLevelChannelConfigBase` with allowlist and default target. */
export function createTopLevelChannelConfigAdapter<A, B = A>(
  params: Parameters<typeof createTopLevelChannelConfigBase<A>>[0] &
    AccessorParams<B> & { readonly resolveAccessorAccount?: (params: AccountRef) => B },
): ChannelConfigAdapter<A> {
  return { ...createTopLevelChannelConfigBase(params), ...accessorsOf(params) };
}

function readersOf<A>(
  params: BaseParams<A>,
): Pick<
  ChannelConfigAdapter<A>,
  'listAccountIds' | 'resolveAccount' | 'inspectAccount' | 'defaultAccountId'
> {
  const { inspectAccount } = params;
  return {
    listAccountIds: (cfg) => params.listAccountIds(cfg),
    resolveAccount: (cfg, accountId) => params.resolveAccount(cfg, accountId),
    inspectAccount: inspectAccount === undefined ? undefined : (cfg, id) => inspectAccount(cfg, id),
    defaultAccountId: (cfg) => params.defaultAccountId(cfg),
  };
}

/** Without an accessor of its own the account is read whole: then both have one type. */
function accessorsOf<A, B>(
  params: AccessorParams<B> & {
    readonly resolveAccessorAccount?: (params: AccountRef) => B;
    readonly resolveAccount: (cfg: OpenClawConfig, accountId?: string | null) => A;
  },
): Pick<ChannelConfigAdapter<A>, 'resolveAllowFrom' | 'formatAllowFrom' | 'resolveDefaultTo'> {
  const whole = ({ cfg, accountId }: AccountRef): B => params.resolveAccount(cfg, accountId) as unknown as B;
  return createScopedAccountConfigAccessors({
    ...params,
    resolveAccount: params.resolveAccessorAccount ?? whole,
  });
}

function withFields(
  cfg: OpenClawConfig,
  sectionKey: string,
  fields: Readonly<Record<string, unknown>>,
): OpenClawConfig {
  return withChannelSection(cfg, sectionKey, { ...channelSectionOf(cfg, sectionKey), ...fields });
}

function withoutFields(cfg: OpenClawConfig, sectionKey: string, fields: readonly string[]): OpenClawConfig {
  const section = Object.entries(channelSectionOf(cfg, sectionKey)).filter(([key]) => !fields.includes(key));
  return withChannelSection(cfg, sectionKey, Object.fromEntries(section));
}

/** Entries of an allowlist as the channel compares them, without those that say nothing. */
export function formatNormalizedAllowFromEntries(params: {
  readonly allowFrom: readonly unknown[];
  readonly normalizeEntry: (entry: string) => string | null | undefined;
}): string[] {
  return params.allowFrom
    .flatMap((entry) => params.normalizeEntry(String(entry).trim()) ?? [])
    .filter(Boolean);
}
