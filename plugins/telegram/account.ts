import { createAccountListHelpers } from 'openclaw/plugin-sdk';

type Config = Readonly<Record<string, unknown>>;

/** One bot, as `channels.telegram` of the user's config sets it up. */
export interface TelegramAccount {
  readonly accountId: string;
  readonly name: string | undefined;
  readonly enabled: boolean;
  /** Empty where none is set, or the secret that it names is not there. Never logged. */
  readonly token: string;
  /** Where the Bot API is served; undefined where the configured one is no usable address. */
  readonly apiRoot: string | undefined;
  readonly dmPolicy: string | undefined;
  readonly groupPolicy: string | undefined;
  /** Undefined: whoever is in a group. */
  readonly groupAllowFrom: readonly (string | number)[] | undefined;
  readonly allowFrom: readonly (string | number)[];
  readonly maxMediaBytes: number;
  /** Seconds that Telegram holds a request for messages while there are none. */
  readonly pollSeconds: number;
}

const telegram = 'https://api.telegram.org';
const helpers = createAccountListHelpers('telegram', {
  implicitDefaultAccount: { channelKeys: ['botToken'] },
  fallbackAccountIdWhenEmpty: false,
});

export const { listAccountIds, resolveDefaultAccountId } = helpers;

/** The account's settings over those of the channel. */
export function resolveAccount(cfg: Config, accountId?: string | null): TelegramAccount {
  const id = accountId ?? resolveDefaultAccountId(cfg);
  const own = helpers.resolveAccountConfig(cfg, id);
  const text = (key: string): string | undefined =>
    typeof own[key] === 'string' && own[key].trim() !== '' ? own[key].trim() : undefined;
  const mediaMb = own['mediaMaxMb'];
  const seconds = own['pollSeconds'];
  return {
    accountId: id,
    name: text('name'),
    enabled: own['enabled'] !== false,
    token: text('botToken') ?? '',
    apiRoot: apiRootOf(text('apiRoot') ?? telegram),
    dmPolicy: text('dmPolicy'),
    groupPolicy: text('groupPolicy'),
    groupAllowFrom: own['groupAllowFrom'] === undefined ? undefined : listOf(own['groupAllowFrom']),
    allowFrom: listOf(own['allowFrom']),
    maxMediaBytes: (typeof mediaMb === 'number' && mediaMb > 0 ? mediaMb : 8) * 1_000_000,
    pollSeconds: typeof seconds === 'number' && seconds >= 0 && seconds <= 50 ? seconds : 30,
  };
}

function listOf(value: unknown): readonly (string | number)[] {
  return Array.isArray(value) ? (value as (string | number)[]) : [];
}

/** A topic's own settings, else those of its group, else those of all. */
export function groupOf(
  cfg: Config,
  accountId: string | null | undefined,
  groupId: string | null | undefined,
): Config | undefined {
  const section = (cfg['channels'] as Readonly<Record<string, Config>> | undefined)?.['telegram'] ?? {};
  const accounts = section['accounts'] as Readonly<Record<string, Config>> | undefined;
  const own = accountId === null || accountId === undefined ? undefined : accounts?.[accountId];
  const groups = (own?.['groups'] ?? section['groups'] ?? {}) as Readonly<Record<string, Config>>;
  const id = groupId ?? '';
  return groups[id] ?? groups[id.replace(/:topic:\d+$/u, '')] ?? groups['*'];
}

/** The token goes there: only https, or this machine itself. Pure. */
export function apiRootOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, origin, pathname, username } = new URL(address);
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere);
  return isSafe && username === '' ? `${origin}${pathname}`.replace(/\/+$/u, '') : undefined;
}

/** Why the account can't be started, as the user reads it; undefined where it can. */
export function problemOf({ token, apiRoot }: TelegramAccount): string | undefined {
  if (token === '') return 'channels.telegram.botToken is missing, or the secret that it names is not set';
  if (!/^\d+:[\w-]+$/u.test(token)) return 'channels.telegram.botToken is not a bot token';
  if (apiRoot === undefined)
    return 'channels.telegram.apiRoot is neither https nor an address of this machine';
  return undefined;
}
