import { asFiniteNumber, asOptionalRecord } from './coerce.ts';
import { assertOkOrThrowProviderError, buildTimeoutAbortSignal } from './providerHttp.ts';
import { resolvePluginConfigObject } from './pluginConfig.ts';
import { normalizeResolvedSecretInputString } from './secretInput.ts';
import { normalizeOptionalString } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';

/** Helpers of web search providers (`openclaw/plugin-sdk/provider-web-search` and `provider-web-search-config-contract`). */

export const DEFAULT_SEARCH_COUNT = 5;
export const MAX_SEARCH_COUNT = 10;
const defaultTimeoutSeconds = 30;
const defaultCacheMinutes = 15;

type Settings = Readonly<Record<string, unknown>>;

/** The plugin's own `config.webSearch` in the whole config. */
export function resolveProviderWebSearchPluginConfig(
  config: unknown,
  pluginId: string,
): Record<string, unknown> | undefined {
  return asOptionalRecord(
    resolvePluginConfigObject(config as OpenClawConfig | undefined, pluginId)?.['webSearch'],
  );
}

/** The settings of the tool with those of the plugin under `key`. */
export function mergeScopedSearchConfig(
  searchConfig: Settings | undefined,
  key: string,
  pluginConfig: Settings | undefined,
  options: { readonly mirrorApiKeyToTopLevel?: boolean } = {},
): Record<string, unknown> | undefined {
  const { apiKey: _apiKey, [key]: _own, ...others } = searchConfig ?? {};
  if (pluginConfig === undefined) return Object.keys(others).length > 0 ? others : undefined;
  const { apiKey } = pluginConfig;
  const isMirrored = options.mirrorApiKeyToTopLevel === true && apiKey !== undefined;
  const merged: Record<string, unknown> = { ...others, ...(isMirrored ? { apiKey } : {}) };
  // A copy of the settings, a log for one, has no key of the plugin in it.
  return Object.defineProperty(merged, key, {
    value: { ...pluginConfig },
    configurable: true,
    writable: true,
  });
}

export interface WebSearchContractOptions {
  readonly credentialPath?: string;
  readonly inactiveSecretPaths?: readonly string[];
  readonly searchCredential:
    | { readonly type: 'scoped'; readonly scopeId: string }
    | { readonly type: 'top-level' }
    | { readonly type: 'none' };
  readonly configuredCredential?: { readonly pluginId: string; readonly field?: string };
}

/** What a provider says of its key: where it stands. Nothing here writes it; the user's config is the user's. */
export function createWebSearchProviderContractFields(options: WebSearchContractOptions): Settings {
  const { searchCredential, configuredCredential, credentialPath } = options;
  const read = (config: Settings | undefined): unknown => {
    if (searchCredential.type === 'scoped')
      return asOptionalRecord(config?.[searchCredential.scopeId])?.['apiKey'];
    return searchCredential.type === 'none' ? undefined : config?.['apiKey'];
  };
  const { pluginId, field = 'apiKey' } = configuredCredential ?? { pluginId: '' };
  return {
    inactiveSecretPaths:
      options.inactiveSecretPaths ?? (credentialPath === undefined ? [] : [credentialPath]),
    getCredentialValue: read,
    ...(configuredCredential === undefined
      ? {}
      : {
          getConfiguredCredentialValue: (config: unknown) =>
            resolveProviderWebSearchPluginConfig(config, pluginId)?.[field],
        }),
  };
}

/** A key that stands in the config as text. @throws Error naming `path` where it stands there by reference */
export function readConfiguredSecretString(value: unknown, path: string): string | undefined {
  return normalizeResolvedSecretInputString({ value, path });
}

/** The first of these environment variables that is set. */
export function readProviderEnvValue(envVars: readonly string[]): string | undefined {
  return envVars
    .map((name) => normalizeOptionalString(process.env[name]))
    .find((value) => value !== undefined);
}

export function resolveSearchCount(value: unknown, byDefault: number): number {
  return Math.max(1, Math.min(MAX_SEARCH_COUNT, Math.floor(asFiniteNumber(value) ?? byDefault)));
}

export function resolveSearchTimeoutSeconds(searchConfig?: Settings): number {
  return Math.max(1, Math.floor(asFiniteNumber(searchConfig?.['timeoutSeconds']) ?? defaultTimeoutSeconds));
}

/** Milliseconds. */
export function resolveSearchCacheTtlMs(searchConfig?: Settings): number {
  const minutes = Math.max(0, asFiniteNumber(searchConfig?.['cacheTtlMinutes']) ?? defaultCacheMinutes);
  return Math.round(minutes * 60_000);
}

export function buildSearchCacheKey(parts: readonly (string | number | boolean | undefined)[]): string {
  return parts.map((part) => String(part ?? 'default')).join(':');
}

/** Nothing: the host keeps no answers of searches, so that each is asked for when the model asks. */
export function readCachedSearchPayload(_key: string, _ttlMs?: number): undefined {
  return undefined;
}

/** Keeps nothing (`readCachedSearchPayload`). */
export function writeCachedSearchPayload(_key: string, _payload: unknown, _ttlMs?: number): void {
  // See above.
}

/** The text as it stands: the host fences all that a search found before a model reads it. */
export function wrapWebContent(content: string, _source?: string): string {
  return content;
}

export function resolveSiteName(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (URL.parse(url)?.hostname ?? undefined);
}

/** @throws ProviderHttpError `LABEL API error (STATUS): MESSAGE` */
export async function throwWebSearchApiError(response: Response, label: string): Promise<never> {
  await assertOkOrThrowProviderError(response, `${label} API error`);
  throw new Error(`${label} API error: ${response.statusText}`);
}

export interface WebToolsRequest {
  readonly url: string;
  readonly init?: RequestInit;
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
}

/** Asks the provider's own server and hands on its answer; no other host may answer for it. */
export async function withTrustedWebToolsEndpoint<T>(
  request: WebToolsRequest,
  run: (answer: { readonly response: Response; readonly finalUrl: string }) => Promise<T>,
): Promise<T> {
  const { url, init = {}, timeoutSeconds, signal: callers } = request;
  const { signal, cleanup } = buildTimeoutAbortSignal({
    timeoutMs: (timeoutSeconds ?? defaultTimeoutSeconds) * 1_000,
    ...(callers === undefined ? {} : { signal: callers }),
    operation: `asking ${resolveSiteName(url) ?? 'the server'}`,
  });
  try {
    // A key goes along: a redirect must not carry it to another host.
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
    });
    return await run({ response, finalUrl: response.url });
  } finally {
    cleanup();
  }
}

/** As `withTrustedWebToolsEndpoint`: a server that the user's config names may be in a private network, too. */
export const withSelfHostedWebToolsEndpoint: typeof withTrustedWebToolsEndpoint = withTrustedWebToolsEndpoint;

/** As `withTrustedWebToolsEndpoint`, with the answer alone. */
export async function withTrustedWebSearchEndpoint<T>(
  request: WebToolsRequest,
  run: (response: Response) => Promise<T>,
): Promise<T> {
  return await withTrustedWebToolsEndpoint(request, ({ response }) => run(response));
}

const recencies: Readonly<Record<string, string>> = { pd: 'day', pw: 'week', pm: 'month', py: 'year' };

/** A span of time in the words of the provider: `pd` or a range for Brave, `day` for Perplexity. */
export function normalizeFreshness(
  value: string | undefined,
  provider: 'brave' | 'perplexity',
): string | undefined {
  const word = normalizeOptionalString(value)?.toLowerCase() ?? '';
  const isBrave = provider === 'brave';
  const [short, long] = Object.entries(recencies).find((pair) => pair.includes(word)) ?? [];
  if (short !== undefined) return isBrave ? short : long;
  const [start, end] = isBrave && /^\S+to\S+$/u.test(word) ? word.split('to') : [];
  const isRange = start !== undefined && end !== undefined && isDay(start) && isDay(end) && start <= end;
  return isRange ? word : undefined;
}

/** A day as `YYYY-MM-DD`, from that or from `M/D/YYYY`. */
export function normalizeToIsoDate(value: string): string | undefined {
  const text = value.trim();
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u.exec(text) ?? [];
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(iso) ? iso : undefined;
}

/** `M/D/YYYY` of a day as `YYYY-MM-DD`. */
export function isoToPerplexityDate(iso: string): string | undefined {
  if (!isDay(iso)) return undefined;
  const [year, month, day] = iso.split('-').map(Number);
  return `${String(month)}/${String(day)}/${String(year)}`;
}

export interface TimeFilterOptions {
  readonly rawFreshness?: string;
  readonly rawDateAfter?: string;
  readonly rawDateBefore?: string;
  readonly freshnessProvider: 'brave' | 'perplexity';
  readonly invalidFreshnessMessage: string;
  readonly invalidDateAfterMessage: string;
  readonly invalidDateBeforeMessage: string;
  readonly invalidDateRangeMessage: string;
  readonly conflictingTimeFiltersMessage?: string;
  readonly docs?: string;
}

export interface TimeFilters {
  readonly freshness?: string;
  readonly dateAfter?: string;
  readonly dateBefore?: string;
}

export interface TimeFilterProblem {
  readonly error: 'invalid_freshness' | 'conflicting_time_filters' | 'invalid_date' | 'invalid_date_range';
  readonly message: string;
  readonly docs: string;
}

/** The model's limits of time for a provider, or why they make no sense. */
export function parseWebSearchTimeFilters(options: TimeFilterOptions): TimeFilters | TimeFilterProblem {
  const { rawFreshness, rawDateAfter, rawDateBefore, freshnessProvider } = options;
  const { docs = 'https://docs.openclaw.ai/tools/web' } = options;
  const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';
  const problem = (error: TimeFilterProblem['error'], message: string) => ({ error, message, docs });
  const freshness = normalizeFreshness(rawFreshness, freshnessProvider);
  if (isSet(rawFreshness) && freshness === undefined)
    return problem('invalid_freshness', options.invalidFreshnessMessage);
  if (isSet(rawFreshness) && (isSet(rawDateAfter) || isSet(rawDateBefore)))
    return problem(
      'conflicting_time_filters',
      options.conflictingTimeFiltersMessage ??
        'Name either freshness or date_after and date_before, not both.',
    );
  const dateAfter = isSet(rawDateAfter) ? normalizeToIsoDate(rawDateAfter) : undefined;
  if (isSet(rawDateAfter) && dateAfter === undefined)
    return problem('invalid_date', options.invalidDateAfterMessage);
  const dateBefore = isSet(rawDateBefore) ? normalizeToIsoDate(rawDateBefore) : undefined;
  if (isSet(rawDateBefore) && dateBefore === undefined)
    return problem('invalid_date', options.invalidDateBeforeMessage);
  if (dateAfter !== undefined && dateBefore !== undefined && dateAfter > dateBefore)
    return problem('invalid_date_range', options.invalidDateRangeMessage);
  return {
    ...(freshness === undefined ? {} : { freshness }),
    ...(dateAfter === undefined ? {} : { dateAfter }),
    ...(dateBefore === undefined ? {} : { dateBefore }),
  };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
