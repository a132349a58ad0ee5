import { asOptionalRecord, asPositiveSafeInteger } from './coerce.ts';
import { definePluginEntry } from './pluginEntry.ts';
import { normalizeOptionalString } from './textHelpers.ts';
import type { OpenClawPluginApi } from './types/pluginApi.ts';
import type {
  PluginModelDefinition,
  PluginProviderCatalogContext,
  PluginProviderModels,
  ProviderAuthMethod,
} from './types/providerTypes.ts';

/**
 * Helpers of plugins that bring one provider of models (`openclaw/plugin-sdk/provider-entry`, `provider-auth-api-key` and
 * `provider-catalog-shared`). Models are those that the plugin lists; where it wants them live, the host asks the server which there are.
 */

type Fields = Readonly<Record<string, unknown>>;

/** What a plugin takes out of its own `openclaw.plugin.json`. */
export interface ProviderManifest {
  readonly modelCatalog?: { readonly providers?: Readonly<Record<string, Fields | undefined>> };
  readonly setup?: {
    readonly providers?: readonly { readonly id?: string; readonly envVars?: readonly string[] }[];
  };
  readonly providerAuthChoices?: readonly Fields[];
}

/** Upper or lower case and blanks around make no other provider. */
export function normalizeProviderId(id: string): string {
  return id.trim().toLowerCase();
}

/**
 * The models of the manifest's `modelCatalog` as a provider's config.
 * @throws Error naming what the catalog lacks
 */
export function buildManifestModelProviderConfig({
  providerId,
  catalog,
}: {
  readonly providerId: string;
  readonly catalog: unknown;
}): PluginProviderModels {
  const { baseUrl, api, headers, models } = asOptionalRecord(catalog) ?? {};
  const place = `modelCatalog.providers.${providerId}`;
  const address = normalizeOptionalString(baseUrl);
  const protocol = normalizeOptionalString(api);
  if (!Array.isArray(models)) throw new Error(`Missing ${place}`);
  if (address === undefined) throw new Error(`Missing ${place}.baseUrl`);
  return {
    baseUrl: address,
    ...(protocol === undefined ? {} : { api: protocol }),
    ...(headers === undefined ? {} : { headers: { ...(headers as Record<string, string>) } }),
    models: models.map((model) => toModel(asOptionalRecord(model) ?? {}, place)),
  };
}

function toModel(given: Fields, place: string): PluginModelDefinition {
  const id = normalizeOptionalString(given['id']);
  if (id === undefined) throw new Error(`Invalid ${place}.models`);
  for (const field of ['contextWindow', 'maxTokens'])
    if (asPositiveSafeInteger(given[field]) === undefined)
      throw new Error(`Manifest modelCatalog row ${id} is missing ${field}`);
  const input = Array.isArray(given['input']) ? (given['input'] as string[]) : ['text'];
  return {
    ...given,
    id,
    name: normalizeOptionalString(given['name']) ?? id,
    reasoning: given['reasoning'] === true,
    input: input.filter((kind) => kind !== 'document'),
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...asOptionalRecord(given['cost']) },
  };
}

/** `provider/model` of the manifest's `defaultModel`. */
export function readManifestProviderDefaultModelRef(
  manifest: ProviderManifest | undefined,
  providerId: string,
): string | undefined {
  const model = normalizeOptionalString(manifest?.modelCatalog?.providers?.[providerId]?.['defaultModel']);
  return model === undefined ? undefined : `${providerId}/${model}`;
}

/** The models that the user's config lists for a provider. */
export function readConfiguredProviderCatalogEntries({
  config,
  providerId,
  publishedProviderId = providerId,
}: {
  readonly config?: unknown;
  readonly providerId: string;
  readonly publishedProviderId?: string;
}): { readonly provider: string; readonly id: string; readonly name: string }[] {
  const { models } = configuredProvider(config, [providerId]) ?? {};
  const list: readonly unknown[] = Array.isArray(models) ? models : [];
  return list.flatMap((model) => {
    const given = asOptionalRecord(model);
    const id = normalizeOptionalString(given?.['id']);
    if (id === undefined) return [];
    return [
      { ...given, provider: publishedProviderId, id, name: normalizeOptionalString(given?.['name']) ?? id },
    ];
  });
}

function configuredProvider(config: unknown, ids: readonly string[]): Fields | undefined {
  const providers =
    asOptionalRecord(asOptionalRecord(asOptionalRecord(config)?.['models'])?.['providers']) ?? {};
  const wanted = ids.map(normalizeProviderId);
  return asOptionalRecord(
    Object.entries(providers).find(([id]) => wanted.includes(normalizeProviderId(id)))?.[1],
  );
}

export interface SingleProviderCatalogOptions {
  readonly ctx: PluginProviderCatalogContext;
  readonly providerId: string;
  readonly buildProvider: () => PluginProviderModels | Promise<PluginProviderModels>;
  /** The user's config may name another address. */
  readonly allowExplicitBaseUrl?: boolean;
}

/** What a catalog gives; with `liveModelDiscovery` the host asks the server which of its models there are. */
export interface SingleProviderCatalogResult {
  readonly provider: PluginProviderModels;
  readonly liveModelDiscovery?: boolean;
}

/** A provider's models with its key; null where there is no key. */
export async function buildSingleProviderApiKeyCatalog(
  options: SingleProviderCatalogOptions,
): Promise<SingleProviderCatalogResult | null> {
  const { ctx, providerId, buildProvider, allowExplicitBaseUrl } = options;
  const { apiKey } = ctx.resolveProviderApiKey(normalizeProviderId(providerId));
  if (apiKey === undefined) return null;
  const named = allowExplicitBaseUrl === true ? configuredProvider(ctx.config, [providerId]) : undefined;
  const baseUrl = normalizeOptionalString(named?.['baseUrl']);
  return { provider: { ...(await buildProvider()), ...(baseUrl === undefined ? {} : { baseUrl }), apiKey } };
}

/** As `buildSingleProviderApiKeyCatalog`, with the models that the server has now. */
export async function buildOpenAICompatibleProviderCatalog(
  options: SingleProviderCatalogOptions,
): Promise<SingleProviderCatalogResult | null> {
  const catalog = await buildSingleProviderApiKeyCatalog(options);
  return catalog === null ? null : { ...catalog, liveModelDiscovery: true };
}

/** The provider with its key, and the models that its server has now. */
export function buildOpenAICompatibleLiveProviderCatalog({
  providerConfig,
  apiKey,
}: {
  readonly providerConfig: PluginProviderModels;
  readonly apiKey?: string;
}): Promise<SingleProviderCatalogResult> {
  const provider = { ...providerConfig, ...(apiKey === undefined ? {} : { apiKey }) };
  return Promise.resolve({ provider, liveModelDiscovery: true });
}

/** A key that a provider asks its user for. */
export interface ProviderApiKeyWay {
  readonly methodId: string;
  readonly label: string;
  readonly hint?: string;
  readonly envVar?: string;
  readonly promptMessage?: string;
  readonly noteTitle?: string;
  readonly noteMessage?: string;
  readonly profileId?: string;
  readonly defaultModel?: string;
  /** Parts of upstream's onboarding, which have no effect here. */
  readonly optionKey?: string;
  readonly flagName?: string;
  readonly expectedProviders?: readonly string[];
  readonly applyConfig?: unknown;
  readonly wizard?: unknown;
}

export interface ProviderApiKeyAuthOptions extends ProviderApiKeyWay {
  readonly providerId: string;
}

/** A way to sign in that asks for a key. */
export function createProviderApiKeyAuthMethod(options: ProviderApiKeyAuthOptions): ProviderAuthMethod {
  const { providerId, methodId, label, hint, promptMessage, noteMessage, noteTitle, defaultModel } = options;
  return {
    id: methodId,
    label,
    ...(hint === undefined ? {} : { hint }),
    kind: 'api_key',
    async run({ prompter }) {
      if (noteMessage !== undefined) await prompter.note(noteMessage, noteTitle);
      const key = await prompter.text({
        message: promptMessage ?? `Enter ${label}`,
        sensitive: true,
        validate: (text) => (text.trim() === '' ? 'Enter the key.' : undefined),
      });
      const profileId = normalizeOptionalString(options.profileId) ?? `${providerId}:default`;
      return {
        profiles: [{ profileId, credential: { type: 'api_key', provider: providerId, key: key.trim() } }],
        ...(defaultModel === undefined ? {} : { defaultModel }),
      };
    },
  };
}

export interface SingleProviderCatalog {
  readonly buildProvider?: () => PluginProviderModels | Promise<PluginProviderModels>;
  readonly run?: (ctx: PluginProviderCatalogContext) => unknown;
  readonly order?: string;
  readonly allowExplicitBaseUrl?: boolean;
  /** Whether the server is asked which models it has now. */
  readonly liveModelDiscovery?: unknown;
  readonly [field: string]: unknown;
}

/** A provider as `defineSingleProviderPluginEntry` takes it; other fields are passed on to `api.registerProvider`. */
export interface SingleProvider {
  readonly id?: string;
  readonly label: string;
  readonly aliases?: readonly string[];
  readonly envVars?: readonly string[];
  readonly auth?: readonly ProviderApiKeyWay[];
  /** What differs from the manifest's `providerAuthChoices`. */
  readonly manifestAuth?: Fields;
  readonly extraAuth?: readonly ProviderAuthMethod[];
  readonly catalog: SingleProviderCatalog;
  readonly [field: string]: unknown;
}

export interface SingleProviderPluginOptions {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly manifest?: ProviderManifest;
  readonly provider?: SingleProvider | ((api: OpenClawPluginApi) => SingleProvider | undefined);
  readonly register?: (api: OpenClawPluginApi) => void;
  readonly [field: string]: unknown;
}

/** A plugin that brings one provider: its models, and a key by environment variable or sign-in. */
export function defineSingleProviderPluginEntry(
  options: SingleProviderPluginOptions,
): ReturnType<typeof definePluginEntry> {
  const { id, name, description, manifest, provider: given, register } = options;
  return definePluginEntry({
    id,
    name,
    description,
    register(api: OpenClawPluginApi) {
      const provider = typeof given === 'function' ? given(api) : given;
      if (provider !== undefined) registerOne(api, provider, manifest, id);
      register?.(api);
    },
  });
}

function registerOne(
  api: OpenClawPluginApi,
  provider: SingleProvider,
  manifest: ProviderManifest | undefined,
  pluginId: string,
): void {
  const { id = pluginId, auth, manifestAuth, extraAuth = [], catalog, envVars = [], ...others } = provider;
  const ways = auth ?? authOfManifest(manifest, id, manifestAuth);
  const variables = [...envVars, ...ways.flatMap(({ envVar }) => envVar ?? [])];
  const listed = () =>
    buildManifestModelProviderConfig({ providerId: id, catalog: manifest?.modelCatalog?.providers?.[id] });
  const { run, buildProvider = listed, allowExplicitBaseUrl = false, liveModelDiscovery } = catalog;
  const isLive = liveModelDiscovery === true || asOptionalRecord(liveModelDiscovery) !== undefined;
  const build = isLive ? buildOpenAICompatibleProviderCatalog : buildSingleProviderApiKeyCatalog;
  api.registerProvider({
    ...others,
    id,
    ...(variables.length === 0 ? {} : { envVars: [...new Set(variables)] }),
    auth: [...ways.map((way) => createProviderApiKeyAuthMethod({ ...way, providerId: id })), ...extraAuth],
    catalog: {
      order: catalog.order ?? 'simple',
      run: run ?? ((ctx) => build({ ctx, providerId: id, buildProvider, allowExplicitBaseUrl })),
    },
  });
}

/** The manifest's way to sign in with a key, where it has one. */
function authOfManifest(
  manifest: ProviderManifest | undefined,
  providerId: string,
  overrides: Fields | undefined,
): readonly ProviderApiKeyWay[] {
  const choice = manifest?.providerAuthChoices?.find(
    ({ provider, method }) => provider === providerId && method === 'api-key',
  );
  if (choice === undefined) return [];
  const label = normalizeOptionalString(choice['choiceLabel']) ?? 'API key';
  const hint = normalizeOptionalString(choice['choiceHint']) ?? normalizeOptionalString(choice['groupHint']);
  const [envVar] = manifest?.setup?.providers?.find(({ id }) => id === providerId)?.envVars ?? [];
  const defaultModel = readManifestProviderDefaultModelRef(manifest, providerId);
  return [
    {
      methodId: 'api-key',
      label,
      promptMessage: `Enter ${label}`,
      ...(hint === undefined ? {} : { hint }),
      ...(envVar === undefined ? {} : { envVar }),
      ...(defaultModel === undefined ? {} : { defaultModel }),
      ...overrides,
    },
  ];
}
