import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Host } from '../../host/ports.ts';
import { listModels } from '../../models/library/listModels.ts';
import type { ListedModel } from '../../models/library/readModelList.ts';
import { infoDiagnostic, warnDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import type { PluginProvider } from '../../plugins/providers/pluginProvider.ts';
import { toConnection } from '../../plugins/providers/toConnection.ts';
import { providerKey } from '../../plugins/providers/providerKey.ts';
import type { SignInKeys } from './createSignIns.ts';
import { readProviderModels, type ProviderModel } from '../../plugins/providers/readProviderModels.ts';
import { withDeadline } from '../../plugins/withDeadline.ts';

/** A model of a plugin and the `apiKey` of the config that it stands in. */
export interface AskedModel extends ProviderModel {
  readonly apiKey: unknown;
}

interface AskedModels {
  readonly models: readonly AskedModel[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How long a catalog may take; it may ask a server. */
const timeoutMs = 5_000;
/** How long the list of a server may take: what the plugin lists is there without it. */
const listTimeoutMs = 3_000;
/** Of a server's list: each is put into the registry, and a list of hundreds of thousands would hold the window up. */
const maxListed = 2_000;

/**
 * The models of a plugin's provider: those it lists (`models`) and those of its catalog, which may be of several providers.
 * Never rejects: what fails or makes no sense is named.
 */
export async function askForModels(
  provider: PluginProvider,
  host: Host,
  signIns: SignInKeys,
): Promise<AskedModels> {
  const { id, pluginId, given } = provider;
  try {
    const catalog = await fromCatalog(provider, host, signIns);
    const live = await Promise.all(
      catalog.map((each) =>
        each.isLive ? withLiveModels(each, host) : Promise.resolve({ ...each, why: undefined }),
      ),
    );
    const configs = [...listed(provider), ...live.map(({ name, config }) => [name, config] as const)];
    const unlisted = live.flatMap(({ name, why }) => (why === undefined ? [] : [listMissing(name, why)]));
    const canStream = typeof given['createStreamFn'] === 'function';
    const read = configs.map(([name, config]) => ({
      config,
      ...readProviderModels(name, config, canStream),
    }));
    const problems = read.flatMap((each) => each.problems);
    const models = read.flatMap(({ config, models }) =>
      models.map((model) => ({ ...model, apiKey: isRecord(config) ? config['apiKey'] : undefined })),
    );
    const isEmpty = models.length === 0 && problems.length === 0 && bringsModels(provider);
    return {
      models,
      diagnostics: [
        ...problems.map((problem) =>
          warnDiagnostic('plugin_provider_refused', `provider "${id}": ${problem}`, { pluginId }),
        ),
        ...(isEmpty ? [nothingThere(provider, host)] : []),
        ...unlisted.map((text) =>
          infoDiagnostic('plugin_provider_list', inertLine(signIns.redact(text), 300), { pluginId }),
        ),
      ],
    };
  } catch (error) {
    const message = `provider "${id}" did not say which models it has: ${inertLine(signIns.redact(errorMessage(error)), 300)}`;
    return { models: [], diagnostics: [warnDiagnostic('plugin_provider_failed', message, { pluginId })] };
  }
}

function listed({ id, given }: PluginProvider): readonly (readonly [string, unknown])[] {
  return given['models'] === undefined ? [] : [[id, given['models']]];
}

/** Upstream's names of the catalog, the newest first. */
function catalogOf(given: PluginProvider['given']): Record<string, unknown> | undefined {
  return [given['catalog'], given['discovery'], given['staticCatalog']].find(isRecord);
}

function bringsModels({ given }: PluginProvider): boolean {
  return given['models'] !== undefined || catalogOf(given) !== undefined;
}

/** @throws whatever the plugin throws, or `plugin_timed_out` */
async function fromCatalog(
  provider: PluginProvider,
  host: Host,
  signIns: SignInKeys,
): Promise<readonly CatalogEntry[]> {
  const { id, given, context } = provider;
  const catalog = catalogOf(given);
  const run = catalog?.['run'];
  if (typeof run !== 'function') return [];
  // Without a sign-in that still counts it may list what everybody has.
  const signedIn = await signIns.keyOf(provider).catch(() => undefined);
  const apiKey = signedIn ?? providerKey(given['envVars'], undefined, host.env).value;
  const key = { apiKey, ...(apiKey === undefined ? {} : { discoveryApiKey: apiKey }) };
  const { config, workspaceDir } = context;
  const question = {
    config,
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
    env: host.env,
    resolveProviderApiKey: () => key,
    resolveProviderAuth: () => ({
      ...key,
      mode: apiKey === undefined ? 'none' : signedIn === undefined ? 'api_key' : 'oauth',
      source: apiKey === undefined ? 'none' : signedIn === undefined ? 'env' : 'profile',
    }),
  };
  const asked = provider.call(
    `the catalog of the provider ${id}`,
    () => Reflect.apply(run, catalog, [question]) as unknown,
  );
  const result = await withDeadline(Promise.resolve(asked), timeoutMs, host.clock);
  if (result == null) return [];
  if (!isRecord(result)) throw new Error('its catalog gave no object');
  const isLive = result['liveModelDiscovery'] === true;
  if (result['provider'] !== undefined) return [{ name: id, config: result['provider'], isLive, apiKey }];
  const providers = isRecord(result['providers']) ? Object.entries(result['providers']) : [];
  return providers.map(([name, config]) => ({ name, config, isLive, apiKey }));
}

/** Models of a catalog. */
interface CatalogEntry {
  readonly name: string;
  /** Upstream's config of a provider, unchecked. */
  readonly config: unknown;
  /** Its server says which of the models there are, and which more. */
  readonly isLive: boolean;
  readonly apiKey: string | undefined;
}

/**
 * Of the models that the plugin lists those that its server has, then others of the server, with what it says of them. Where it does not
 * answer, or has none, all that the plugin lists; `why` says so.
 */
async function withLiveModels(
  entry: CatalogEntry,
  { http, clock }: Host,
): Promise<CatalogEntry & { readonly why: string | undefined }> {
  const { config, apiKey } = entry;
  const models: readonly unknown[] =
    isRecord(config) && Array.isArray(config['models']) ? config['models'] : [];
  const connection = isRecord(config) ? toConnection(config, { ...config }) : undefined;
  if (!isRecord(config) || connection === undefined || 'problem' in connection)
    return { ...entry, why: undefined };
  try {
    const there = await listModels({
      ...connection,
      ...(apiKey === undefined ? {} : { apiKey }),
      http,
      clock,
      signal: AbortSignal.timeout(listTimeoutMs),
      timeoutMs: listTimeoutMs,
    });
    const idOf = (model: unknown): unknown => (isRecord(model) ? model['id'] : undefined);
    const byId = new Map<unknown, ListedModel>(there.map((model) => [model.id, model]));
    const known = models.filter((model) => byId.has(idOf(model)));
    for (const model of known) byId.delete(idOf(model));
    const more = [...byId.values()].slice(0, maxListed).map(toListedModel);
    if (known.length + more.length === 0) return { ...entry, why: 'it has none' };
    return { ...entry, config: { ...config, models: [...known, ...more] }, why: undefined };
  } catch (error) {
    return { ...entry, why: errorMessage(error) };
  }
}

/** In upstream's words. */
function toListedModel({
  id,
  name,
  contextWindow,
  maxOutputTokens,
  imageInput,
  ...model
}: ListedModel): object {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens }),
    ...(imageInput === undefined ? {} : { input: imageInput ? ['text', 'image'] : ['text'] }),
    ...(model.thinking === undefined ? {} : { reasoning: model.thinking }),
    ...(model.cost === undefined ? {} : { cost: model.cost }),
  };
}

function listMissing(id: string, why: string): string {
  return `provider "${id}" has the models that its plugin lists: its server did not say which there are now (${why})`;
}

function nothingThere({ id, pluginId, given }: PluginProvider, { env }: Host): Diagnostic {
  const { value, variables } = providerKey(given['envVars'], undefined, env);
  const [first] = variables;
  const hint = value === undefined && first !== undefined ? { hint: `Set ${first} and start again.` } : {};
  return infoDiagnostic('plugin_provider_empty', `provider "${id}" has no models now`, { pluginId, ...hint });
}
