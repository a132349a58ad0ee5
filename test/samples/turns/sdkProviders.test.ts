import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { startScriptedModelServer, statusAnswer, textAnswer } from '../../builders/scriptedModelServer.ts';

/** A plugin as upstream's packages of providers are written: all of it comes from the SDK. */
const provider = (baseUrl: string): string => `
const { defineSingleProviderPluginEntry } = require('openclaw/plugin-sdk/provider-entry');
const { buildProviderReplayFamilyHooks } = require('openclaw/plugin-sdk/provider-model-shared');
const { createModelCatalogPresetAppliers } = require('openclaw/plugin-sdk/provider-onboard');
const appliers = createModelCatalogPresetAppliers({});
const manifest = {
  setup: { providers: [{ id: 'acme', envVars: ['ACME_API_KEY'] }] },
  providerAuthChoices: [{ provider: 'acme', method: 'api-key', choiceLabel: 'Acme key', optionKey: 'acmeApiKey', cliFlag: '--acme-api-key' }],
  modelCatalog: { providers: { acme: { baseUrl: '${baseUrl}', defaultModel: 'one', models: [
    { id: 'one', name: 'Acme One', contextWindow: 64000, maxTokens: 4000, input: ['text', 'document'] },
  ] } } },
};
module.exports = defineSingleProviderPluginEntry({
  id: 'acme', name: 'Acme', description: '', manifest,
  provider: {
    label: 'Acme', manifestAuth: { applyConfig: appliers.applyConfig },
    catalog: { liveModelDiscovery: true },
    ...buildProviderReplayFamilyHooks({ family: 'openai-compatible' }),
  },
});`;

async function openProvider(code: string, env: Readonly<Record<string, string>>) {
  return await openTestRuntime({
    withoutRealBundled: true,
    isRecorded: false,
    global: { acme: code },
    adjustHost: (host) => ({ ...host, env: { ...host.env, ...env } }),
  });
}

it('a provider of the SDK answers with the models of its manifest and the key of its variable', async () => {
  const models = await startScriptedModelServer();
  onTestFinished(() => models.dispose());
  models.answerAll(() => textAnswer('Ahoy.'));
  models.answerList({
    steps: [{ raw: JSON.stringify({ data: [{ id: 'one' }, { id: 'two', max_model_len: 9_000 }] }) }],
  });
  await using world = await openProvider(provider(models.baseUrl), { ACME_API_KEY: 'key-1' });
  const model = world.runtime.models.resolve('acme/one');
  expect(model.info).toMatchObject({ name: 'Acme One', contextWindow: 64_000, imageInput: false });
  const { outcome } = await world.say('hi', [], { model });
  expect(outcome).toMatchObject({ status: 'completed', text: 'Ahoy.' });
  expect(models.requests[0]?.headers['authorization']).toBe('Bearer key-1');
  expect(models.listRequests[0]?.headers['authorization']).toBe('Bearer key-1');
});

it('a provider of the SDK has the models that its server has now, or where it does not say those of its manifest', async () => {
  const models = await startScriptedModelServer();
  onTestFinished(() => models.dispose());
  const names = (world: Awaited<ReturnType<typeof openProvider>>): readonly string[] =>
    world.runtime.models.list().flatMap(({ info }) => (info.provider === 'acme' ? [info.model] : []));
  const list = (ids: readonly string[]): void =>
    models.answerList({
      steps: [{ raw: JSON.stringify({ data: ids.map((id) => ({ id, max_model_len: 9_000 })) }) }],
    });
  const env = { ACME_API_KEY: 'key-1' };
  {
    list(['two']);
    await using world = await openProvider(provider(models.baseUrl), env);
    expect(names(world)).toEqual(['two']);
    expect(world.runtime.models.resolve('acme/two').info.contextWindow).toBe(9_000);
  }
  {
    // A server may list what would fill the window: those of the plugin are there, and no more than 2000 others, each once.
    const many = Array.from({ length: 3_000 }, (_, at) => `a${String(at)}`);
    list([...many, 'a0', 'one']);
    await using world = await openProvider(provider(models.baseUrl), env);
    expect(names(world)).toContain('one');
    expect(names(world)).toHaveLength(2_001);
  }
  models.answerList(statusAnswer(500, 'no'));
  await using world = await openProvider(provider(models.baseUrl), env);
  expect(names(world)).toEqual(['one']);
  expect(world.runtime.workspace.diagnostics()).toContainEqual(
    expect.objectContaining({ code: 'plugin_provider_list', pluginId: 'acme' }),
  );
});

it('a provider of the SDK without a key has no models, and says which variable to set', async () => {
  await using world = await openProvider(provider('http://127.0.0.1:9/v1'), {});
  expect(world.runtime.models.list().map(({ info }) => info.provider)).not.toContain('acme');
  expect(world.runtime.workspace.diagnostics()).toContainEqual(
    expect.objectContaining({ pluginId: 'acme', hint: 'Set ACME_API_KEY and start again.' }),
  );
});

/** A search provider as upstream's packages write one. */
const search = `
const config = require('openclaw/plugin-sdk/provider-web-search-config-contract');
const http = require('openclaw/plugin-sdk/provider-http');
const sdk = require('openclaw/plugin-sdk/provider-web-search');
const ssrf = require('openclaw/plugin-sdk/ssrf-runtime');
module.exports = (api) => api.registerWebSearchProvider({
  id: 'acme', label: 'Acme', hint: '', envVars: [], placeholder: '', signupUrl: '', credentialPath: 'x',
  ...config.createWebSearchProviderContractFields({ credentialPath: 'x', searchCredential: { type: 'top-level' }, configuredCredential: { pluginId: 'acme' } }),
  createTool: (context) => {
    const own = config.mergeScopedSearchConfig(context.searchConfig, 'acme', config.resolveProviderWebSearchPluginConfig(context.config, 'acme'), { mirrorApiKeyToTopLevel: true });
    return { description: '', parameters: {}, async execute(args, { signal }) {
      const key = sdk.readConfiguredSecretString(own.acme.apiKey, 'apiKey');
      if (!key) return { error: 'missing_key', message: 'Acme needs a key.' };
      await ssrf.assertHttpUrlTargetsPrivateNetwork(own.acme.baseUrl, { dangerouslyAllowPrivateNetwork: true });
      const filters = sdk.parseWebSearchTimeFilters({ rawFreshness: 'week', freshnessProvider: 'brave', invalidFreshnessMessage: '', invalidDateAfterMessage: '', invalidDateBeforeMessage: '', invalidDateRangeMessage: '' });
      const url = new URL(own.acme.baseUrl);
      url.search = new URLSearchParams({ q: args.query, count: String(sdk.resolveSearchCount(args.count, sdk.DEFAULT_SEARCH_COUNT)), fresh: filters.freshness });
      return sdk.withSelfHostedWebToolsEndpoint({ url: url.href, signal, init: { headers: { 'x-key': key } } }, async ({ response }) => {
        await http.assertOkOrThrowProviderError(response, 'Acme API error');
        const { hits } = await http.readProviderJsonObjectResponse(response, 'Acme');
        return { results: hits.map((hit) => ({ title: sdk.wrapWebContent(hit.title), url: hit.url, snippet: sdk.resolveSiteName(hit.url) })) };
      });
    } };
  },
});`;

async function searchWith(settings: object, answer: { readonly status: number; readonly body: string }) {
  const asked: string[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push(`${String(url)} ${String(headers['x-key'])}`);
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/search`;
  await using world = await openTestRuntime({
    withoutRealBundled: true,
    isRecorded: false,
    global: { acme: search },
    config: {
      tools: { web: { search: { provider: 'acme' } } },
      plugins: { entries: { acme: { config: { webSearch: { baseUrl, ...settings } } } } },
    },
    answer: 'allow-once',
  });
  const requests: ModelRequest[] = [];
  const call = { toolCalls: [{ name: 'web_search', arguments: { query: 'cats', count: 2 } }] };
  await world.say('look', [call, { text: 'Done.' }], { seen: (request) => void requests.push(request) });
  const results = requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'toolResult'));
  return { asked, results: JSON.stringify(results) };
}

it("a search provider of the SDK asks its server with the key of the plugin's settings, and its hits reach the model", async () => {
  const hits = [{ title: 'About cats', url: 'https://one.example/' }];
  const { asked, results } = await searchWith(
    { apiKey: 'key-2' },
    { status: 200, body: JSON.stringify({ hits }) },
  );
  expect(asked).toEqual(['/search?q=cats&count=2&fresh=pw key-2']);
  expect(results).toMatch(/About cats[^]*one\.example/u);
});

it('a search provider of the SDK tells the model why its server refused, and asks nobody without a key', async () => {
  const refused = {
    status: 429,
    body: JSON.stringify({ error: { message: 'Quota exceeded', code: 'quota' } }),
  };
  const withKey = await searchWith({ apiKey: 'key-2' }, refused);
  expect(withKey.results).toContain('Acme API error (429): Quota exceeded');
  const without = await searchWith({}, refused);
  expect(without.asked).toEqual([]);
  expect(without.results).toContain('Acme needs a key.');
});
