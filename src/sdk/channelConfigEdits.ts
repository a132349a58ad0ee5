import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from './accountId.ts';
import { accountKeyOf, channelSectionOf, withChannelSection } from './channelAccounts.ts';
import { hasConfiguredSecretInput } from './secretInput.ts';
import { asRecord } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';

/** Changed copies of a configuration. The host's own is the user's: nothing here writes it. */

interface SectionAccount {
  readonly cfg: OpenClawConfig;
  readonly sectionKey: string;
  readonly accountId?: string | null;
}

/** Switches one account on or off. */
export function setAccountEnabledInConfigSection(
  params: SectionAccount & { readonly enabled: boolean; readonly allowTopLevel?: boolean },
): OpenClawConfig {
  const { cfg, sectionKey, enabled, allowTopLevel = false } = params;
  const id = params.accountId ?? DEFAULT_ACCOUNT_ID;
  const section = channelSectionOf(cfg, sectionKey);
  if (allowTopLevel && id === DEFAULT_ACCOUNT_ID && section['accounts'] === undefined) {
    return withChannelSection(cfg, sectionKey, { ...section, enabled });
  }
  const accounts = asRecord(section['accounts']);
  const key = accountKeyOf(accounts, id) ?? id;
  return withChannelSection(cfg, sectionKey, {
    ...section,
    accounts: { ...accounts, [key]: { ...asRecord(accounts[key]), enabled } },
  });
}

/** Takes one account out; of the default one the channel's own fields, too. */
export function deleteAccountFromConfigSection(
  params: SectionAccount & { readonly clearBaseFields?: readonly string[] },
): OpenClawConfig {
  const { cfg, sectionKey, clearBaseFields = [] } = params;
  const id = params.accountId ?? DEFAULT_ACCOUNT_ID;
  const { accounts, ...fields } = channelSectionOf(cfg, sectionKey);
  const key = accountKeyOf(accounts, id);
  const left = Object.entries(asRecord(accounts)).filter(([each]) => each !== key);
  if (id === DEFAULT_ACCOUNT_ID && Object.keys(asRecord(accounts)).length === 0) {
    return withChannelSection(cfg, sectionKey, undefined);
  }
  const base = id === DEFAULT_ACCOUNT_ID ? without(fields, clearBaseFields) : fields;
  return withChannelSection(cfg, sectionKey, {
    ...base,
    ...(left.length === 0 ? {} : { accounts: Object.fromEntries(left) }),
  });
}

/** Takes fields out of one account's settings. */
export function clearAccountEntryFields(params: {
  readonly accounts?: unknown;
  readonly accountId: string;
  readonly fields: readonly string[];
  readonly isValueSet?: (value: unknown) => boolean;
  readonly markClearedOnFieldPresence?: boolean;
}): {
  readonly nextAccounts: Record<string, unknown> | undefined;
  readonly changed: boolean;
  readonly cleared: boolean;
} {
  const accounts = asRecord(params.accounts);
  const key = accountKeyOf(accounts, params.accountId);
  const entry = key === undefined ? {} : asRecord(accounts[key]);
  const present = params.fields.filter((field) => Object.hasOwn(entry, field));
  const all = Object.keys(accounts).length === 0 ? undefined : accounts;
  if (key === undefined || present.length === 0) {
    return { nextAccounts: all, changed: false, cleared: false };
  }
  const { isValueSet = hasConfiguredSecretInput, markClearedOnFieldPresence = false } = params;
  const rest = without(entry, present);
  const next = Object.keys(rest).length === 0 ? without(accounts, [key]) : { ...accounts, [key]: rest };
  return {
    nextAccounts: Object.keys(next).length === 0 ? undefined : next,
    changed: true,
    cleared: markClearedOnFieldPresence || present.some((field) => isValueSet(entry[field])),
  };
}

interface NamedSection {
  readonly cfg: OpenClawConfig;
  readonly channelKey: string;
  readonly alwaysUseAccounts?: boolean;
}

/** Gives an account its name: at the channel itself while it has no other accounts. */
export function applyAccountNameToChannelSection(
  params: NamedSection & { readonly accountId: string; readonly name?: string },
): OpenClawConfig {
  const { cfg, channelKey, alwaysUseAccounts = false } = params;
  const name = params.name?.trim() ?? '';
  if (name === '') return cfg;
  const id = normalizeAccountId(params.accountId);
  const section = channelSectionOf(cfg, channelKey);
  const accounts = asRecord(section['accounts']);
  if (!alwaysUseAccounts && id === DEFAULT_ACCOUNT_ID && Object.keys(accounts).length === 0) {
    return withChannelSection(cfg, channelKey, { ...section, name });
  }
  const key = accountKeyOf(accounts, id) ?? id;
  return withChannelSection(cfg, channelKey, {
    ...(id === DEFAULT_ACCOUNT_ID ? without(section, ['name']) : section),
    accounts: { ...accounts, [key]: { ...asRecord(accounts[key]), name } },
  });
}

/** Moves the channel's own name to its default account. */
export function migrateBaseNameToDefaultAccount(params: NamedSection): OpenClawConfig {
  const { cfg, channelKey, alwaysUseAccounts = false } = params;
  const section = channelSectionOf(cfg, channelKey);
  const name = typeof section['name'] === 'string' ? section['name'].trim() : '';
  if (alwaysUseAccounts || name === '') return cfg;
  const accounts = asRecord(section['accounts']);
  const key = accountKeyOf(accounts, DEFAULT_ACCOUNT_ID) ?? DEFAULT_ACCOUNT_ID;
  return withChannelSection(cfg, channelKey, {
    ...without(section, ['name']),
    accounts: { ...accounts, [key]: { name, ...asRecord(accounts[key]) } },
  });
}

function without(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !names.includes(key)));
}
