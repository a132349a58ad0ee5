import { createAccountListHelpers } from 'openclaw/plugin-sdk';

type Config = Readonly<Record<string, unknown>>;

/** One sender and receiver, as `channels.webhook` of the user's config sets it up. */
export interface WebhookAccount {
  readonly accountId: string;
  readonly enabled: boolean;
  /** Signs both ways. Empty where none is set, or what it names is not there. Never logged. */
  readonly secret: string;
  /** Where answers go; undefined where none is usable. */
  readonly url: string | undefined;
  readonly dmPolicy: string | undefined;
  readonly allowFrom: readonly (string | number)[];
  readonly maxBytes: number;
}

const helpers = createAccountListHelpers('webhook', {
  implicitDefaultAccount: { channelKeys: ['signingSecret'] },
  fallbackAccountIdWhenEmpty: false,
});

export const { listAccountIds, resolveDefaultAccountId } = helpers;

const shortestSecret = 16;

/** The account's settings over those of the channel. */
export function resolveAccount(cfg: Config, accountId?: string | null): WebhookAccount {
  const id = accountId ?? resolveDefaultAccountId(cfg);
  const own = helpers.resolveAccountConfig(cfg, id);
  const { signingSecret: secret, url, maxKilobytes, dmPolicy, allowFrom } = own;
  return {
    accountId: id,
    enabled: own['enabled'] !== false,
    secret: typeof secret === 'string' ? secret : '',
    url: typeof url === 'string' ? usableUrl(url) : undefined,
    dmPolicy: typeof dmPolicy === 'string' ? dmPolicy : undefined,
    allowFrom: Array.isArray(allowFrom) ? (allowFrom as (string | number)[]) : [],
    maxBytes:
      (typeof maxKilobytes === 'number' && maxKilobytes > 0 ? Math.min(maxKilobytes, 1_000) : 64) * 1_000,
  };
}

/** Answers go there: only https, or this machine itself. Pure. */
export function usableUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, href, username } = new URL(address);
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere);
  return isSafe && username === '' ? href : undefined;
}

/** Why the account can't be started, as the user reads it; undefined where it can. */
export function problemOf({ secret, url }: WebhookAccount): string | undefined {
  if (secret === '')
    return 'channels.webhook.signingSecret is missing, or the secret that it names is not set';
  if (secret.length < shortestSecret)
    return `channels.webhook.signingSecret needs ${String(shortestSecret)} characters or more`;
  if (url === undefined) return 'channels.webhook.url is neither https nor an address of this machine';
  return undefined;
}
