// Which accounts of a channel are wanted, by config and plugin, and why the others are not. What a plugin says of them may be missing,
// throw or lie.
import { errorMessage } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { ChannelConfig, ChannelsConfig } from '../config/sections/channelsSection.ts';
import type { ChannelEntry } from './channelPlugin.ts';

/** An account as config and plugin want it. */
export interface AccountPlan {
  readonly key: string;
  readonly accountId: string;
  readonly account: unknown;
  /** The settings that it stands on: others start it anew. */
  readonly basis: string;
  /** Why this account can't run. */
  readonly off?: string;
}

/** What tells accounts of all channels apart. Pure. */
export function keyOf(channel: string, accountId: string): string {
  return `${channel}\n${accountId}`;
}

interface ChannelRules {
  readonly config: () => ChannelsConfig;
  /** Why no channel may run now, as the end of a sentence. */
  readonly blocked: () => string | undefined;
}

/** Why a channel does not run, whatever its accounts say. */
export function offReason(
  { config, blocked }: ChannelRules,
  { plugin, mayRun }: ChannelEntry,
): string | undefined {
  const { entries, offByWorkspace } = config();
  const said: ChannelConfig | undefined = entries[plugin.id];
  if (said?.enabled !== true) return `it is off; set channels.${plugin.id}.enabled to true in your config`;
  if (offByWorkspace.includes(plugin.id)) return "the workspace's config switches it off";
  if (!mayRun) return 'its plugin comes from the workspace; install it for yourself to let it run';
  return blocked();
}

/** The accounts that the plugin finds in the config. A plugin that has none is asked for the default one. */
export async function listAccounts(
  entry: ChannelEntry,
  off: string | undefined,
): Promise<readonly AccountPlan[]> {
  const { plugin, call } = entry;
  const { id, config } = plugin;
  if (off !== undefined) return [];
  const cfg = entry.cfg();
  const basis = JSON.stringify(isRecord(cfg['channels']) ? cfg['channels'][id] : undefined);
  const failed = (accountId: string, error: unknown): AccountPlan => ({
    key: keyOf(id, accountId),
    accountId,
    account: undefined,
    basis,
    off: entry.redact(inertLine(`its plugin failed: ${errorMessage(error)}`, 300)),
  });
  let ids: readonly string[];
  try {
    const listed: unknown = call(`listAccountIds of the channel ${id}`, () => config?.listAccountIds?.(cfg));
    ids = Array.isArray(listed) ? listed.filter((each): each is string => typeof each === 'string') : [];
    if (ids.length === 0) ids = ['default'];
  } catch (error) {
    return [failed('default', error)];
  }
  const found: AccountPlan[] = [];
  for (const accountId of [...new Set(ids)].slice(0, maxAccounts)) {
    try {
      const account: unknown = call(`resolveAccount of the channel ${id}`, () =>
        config?.resolveAccount?.(cfg, accountId),
      );
      const why = await reasonAgainst(entry, account, cfg);
      const wanted = { key: keyOf(id, accountId), accountId, account, basis };
      found.push(why === undefined ? wanted : { ...wanted, off: inertLine(why, 200) });
    } catch (error) {
      found.push(failed(accountId, error));
    }
  }
  return found;
}

const maxAccounts = 20;

async function reasonAgainst(
  { plugin, call }: ChannelEntry,
  account: unknown,
  cfg: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { id, config, gateway } = plugin;
  const ask = (what: string, work: () => unknown): unknown => call(`${what} of the channel ${id}`, work);
  const isOff = isRecord(account) && account['enabled'] === false;
  if (isOff || ask('isEnabled', () => config?.isEnabled?.(account, cfg)) === false)
    return textOr(
      ask('disabledReason', () => config?.disabledReason?.(account, cfg)),
      'the account is off',
    );
  if ((await ask('isConfigured', () => config?.isConfigured?.(account, cfg))) === false)
    return textOr(
      ask('unconfiguredReason', () => config?.unconfiguredReason?.(account, cfg)),
      'the account is not configured',
    );
  return typeof gateway?.startAccount === 'function' ? undefined : 'the channel can not be started here';
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;
}
