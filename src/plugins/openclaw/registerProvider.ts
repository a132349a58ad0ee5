import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { infoDiagnostic } from '../pluginDiagnostics.ts';
import type { HostProviderKind, PluginManifest } from '../pluginTypes.ts';
import { rewritingHooks } from '../providers/createRewritingModel.ts';
import { hostProviderTaken, providerTaken } from '../providers/pluginProvider.ts';
import { isBuiltInSlot } from '../slots.ts';
import { readSignIns } from '../providers/providerSignIn.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** Functions of upstream's providers that are asked here. */
const used: ReadonlySet<string> = new Set<string>([
  ...rewritingHooks,
  'createStreamFn',
  'formatApiKey',
  'refreshOAuth',
]);

/**
 * `api.registerProvider`: models of a plugin's own (OpenClaw plugin API). Which models it brings is asked once the
 * plugin is loaded; what has no effect here is named now.
 */
export function registerProvider(parts: PluginApiParts, provider: unknown): void {
  const { registrations, manifest, candidate, call } = parts;
  const given = isRecord(provider) ? provider : {};
  const id = textOf(given['id']);
  if (id === undefined) {
    refuseRegistration(parts, 'provider registration missing id');
    return;
  }
  if (id.includes('/')) {
    refuseRegistration(parts, `provider id "${inertLine(id, 80)}" must not hold a slash`);
    return;
  }
  if (registrations.providers.some((each) => each.id === id)) {
    refuseRegistration(parts, providerTaken(id, manifest.id));
    return;
  }
  registrations.providers.push({
    id,
    label: textOf(given['label']) ?? id,
    given: withEnvVars(id, given, manifest),
    signIns: readSignIns(given),
    from: { origin: candidate.origin, rootDir: candidate.rootDir },
    call,
  });
  for (const [code, message] of notesOn(id, given))
    registrations.diagnostics.push(infoDiagnostic(code, message, { pluginId: manifest.id }));
}

/** The one function that the host needs of each kind. */
const askedFunctions: Readonly<Record<HostProviderKind, string>> = {
  'web search provider': 'createTool',
  'web fetch provider': 'createTool',
  'compaction provider': 'summarize',
  'embedding provider': 'create',
  'context engine': 'factory',
  'speech provider': 'synthesize',
};
/** Others that it asks where they are there. */
const moreFunctions: Partial<Readonly<Record<HostProviderKind, readonly string[]>>> = {
  'speech provider': ['resolveConfig', 'isConfigured'],
};

/**
 * `api.registerWebSearchProvider` and its like: something that the host asks where the user's config names its id. Each field is read
 * once, now. Messages are upstream's.
 */
export function registerHostProvider(parts: PluginApiParts, kind: HostProviderKind, provider: unknown): void {
  const { registrations, manifest, currentConfig, call } = parts;
  const given = isRecord(provider) ? provider : {};
  const name = askedFunctions[kind];
  const { id: rawId, label, defaultModel, defaultTimeoutMs, [name]: asked } = given;
  const more = (moreFunctions[kind] ?? []).map((each) => [each, given[each]] as const);
  const id = boundedText(rawId);
  if (id === undefined) {
    refuseRegistration(parts, `${kind} registration missing id`);
    return;
  }
  if (typeof asked !== 'function') {
    refuseRegistration(parts, `${kind} "${id}" has no function ${name}`);
    return;
  }
  if (registrations.hostProviders.some((each) => each.kind === kind && each.id === id)) {
    refuseRegistration(parts, hostProviderTaken(kind)(id, manifest.id));
    return;
  }
  registrations.hostProviders.push({
    kind,
    id,
    label: boundedText(label) ?? id,
    defaultModel: boundedText(defaultModel),
    defaultTimeoutMs: Number.isFinite(defaultTimeoutMs) ? (defaultTimeoutMs as number) : undefined,
    currentConfig,
    run: (argument) => call(`the ${kind} ${id}`, () => Reflect.apply(asked, provider, [argument]) as unknown),
    more: Object.fromEntries(
      more.flatMap(([each, own]) => {
        if (typeof own !== 'function') return [];
        const what = `${each} of the ${kind} ${id}`;
        return [
          [each, (argument: object) => call(what, () => Reflect.apply(own, provider, [argument]) as unknown)],
        ];
      }),
    ),
    call,
  });
}

/** `api.registerContextEngine`: what models read of conversations, where the config's slot names it (OpenClaw documentation, Context engine). */
export function registerContextEngine(parts: PluginApiParts, id: unknown, factory: unknown): void {
  if (typeof id === 'string' && isBuiltInSlot('contextEngine', id.trim()))
    refuseRegistration(parts, `context engine "${id.trim()}" is the built-in one`);
  else registerHostProvider(parts, 'context engine', { id, factory });
}

function boundedText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? inertLine(value, 80).trim() : '';
  return text === '' ? undefined : text;
}

/** A provider that names no variables for its key is looked up by those of the manifest's `setup.providers`. */
function withEnvVars(
  id: string,
  given: Readonly<Record<string, unknown>>,
  { setup }: PluginManifest,
): Readonly<Record<string, unknown>> {
  const providers = Array.isArray(setup?.['providers']) ? (setup['providers'] as readonly unknown[]) : [];
  const own = providers.filter(isRecord).find((each) => each['id'] === id);
  if (given['envVars'] !== undefined || own?.['envVars'] === undefined) return given;
  return Object.create(given, { envVars: { value: own['envVars'], enumerable: true } }) as typeof given;
}

/** What of it nothing here uses. */
function notesOn(id: string, given: Readonly<Record<string, unknown>>): readonly [string, string][] {
  const brings = ['models', 'catalog', 'discovery', 'staticCatalog'].some((field) => isRecord(given[field]));
  if (!brings)
    return [['plugin_registration_unused', `provider "${id}" is registered, but brings no models`]];
  const functions = Object.entries(given).filter(([, value]) => typeof value === 'function');
  const unused = functions.map(([name]) => name).filter((name) => !used.has(name));
  return [
    ...(unused.length === 0
      ? []
      : [
          note(
            'plugin_provider_partly',
            `provider "${id}": ${inertLine(unused.join(', '), 300)} ${unused.length === 1 ? 'has' : 'have'} no effect here`,
          ),
        ]),
  ];
}

function note(code: string, message: string): [string, string] {
  return [code, message];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
