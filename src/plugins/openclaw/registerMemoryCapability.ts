import { isRecord } from '../../base/json.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { MemoryCapabilityRegistration, MemoryRuntime } from '../providers/memoryCapability.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

type CapabilityFunction = (argument: object) => unknown;

/** Fields of upstream's that have no effect here, and what is lost by it. */
const unused: Readonly<Record<string, string>> = {
  publicArtifacts: 'nothing here exports the files of a memory',
  deterministicRecallToolName: 'no provider looks notes up by itself',
  supportsPrivateTranscriptRecall: 'sessions are recalled where memory.sources of the config has them',
};

/**
 * `api.registerMemoryCapability`: what the plugin in the memory slot does beside its tools (OpenClaw documentation, Memory and context
 * slots). Each field is read once, now.
 * @throws Error for a plugin of another kind (upstream's text)
 */
export function registerMemoryCapability(
  parts: PluginApiParts,
  capability: unknown,
  what = 'memory capability',
): void {
  const { registrations, manifest, currentConfig, call } = parts;
  if (!manifest.kind.includes('memory')) throw new Error(`only memory plugins can register a ${what}`);
  if (!isRecord(capability)) {
    refuseRegistration(parts, 'memory capability registration missing capability');
    return;
  }
  const readFunction = (name: string, of = capability): CapabilityFunction | undefined => {
    const asked = of[name];
    if (asked === undefined) return undefined;
    if (typeof asked === 'function')
      return (argument) =>
        call(`the memory's ${name}`, () => Reflect.apply(asked, of, [argument]) as unknown);
    refuseRegistration(parts, `memory capability: ${name} must be a function`);
    return undefined;
  };
  const readRuntime = (): MemoryRuntime | undefined => {
    const { runtime } = capability;
    if (runtime === undefined) return undefined;
    const of = isRecord(runtime) ? runtime : {};
    const getMemorySearchManager = readFunction('getMemorySearchManager', of);
    if (getMemorySearchManager !== undefined)
      return { getMemorySearchManager, authorizeSearchHits: readFunction('authorizeSearchHits', of) };
    refuseRegistration(parts, 'memory capability: runtime has no function getMemorySearchManager');
    return undefined;
  };
  const asked = {
    promptBuilder: readFunction('promptBuilder'),
    flushPlanResolver: readFunction('flushPlanResolver'),
    runtime: readRuntime(),
  };
  const fields = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  for (const [name, lost] of Object.entries(unused)) {
    if (capability[name] === undefined) continue;
    const message = `memory capability: ${name} has no effect here: ${lost}`;
    registrations.diagnostics.push(
      warnDiagnostic('plugin_registration_unused', message, { pluginId: manifest.id }),
    );
  }
  if (fields.length === 0) return;
  const registration: MemoryCapabilityRegistration = { ...asked, fields, currentConfig, call };
  registrations.memoryCapabilities.push(registration);
}

/** A part of the capability, as plugins for older releases register it. @throws Error for a plugin of another kind (upstream's texts) */
export function registerMemoryPart(
  parts: PluginApiParts,
  field: 'promptBuilder' | 'flushPlanResolver' | 'runtime',
  value: unknown,
): void {
  const what = {
    promptBuilder: 'memory prompt section',
    flushPlanResolver: 'memory flush plan',
    runtime: 'memory runtime',
  }[field];
  if (value == null) refuseRegistration(parts, `${what} registration missing its argument`);
  else registerMemoryCapability(parts, { [field]: value }, what);
}

/** `api.registerMemoryPromptSupplement`, and with promises `api.registerMemoryPromptPreparation`: of any plugin (OpenClaw documentation, Plugin SDK capability registration). */
export function registerMemoryLines(
  parts: PluginApiParts,
  id: 'lines' | 'prepared lines',
  builder: unknown,
): void {
  const { registrations, call } = parts;
  if (typeof builder !== 'function') {
    refuseRegistration(parts, 'memory prompt supplement registration missing a function');
    return;
  }
  registrations.memorySupplements.push({
    kind: 'memory prompt supplement',
    id,
    lines: (params) =>
      call('its memory prompt supplement', () => Reflect.apply(builder, undefined, [params]) as unknown),
  });
}

/** `api.registerMemoryCorpusSupplement`: what `memory_search` and `memory_get` find beside the memory, of any plugin (OpenClaw documentation, Plugin SDK capability registration). */
export function registerMemoryCorpusSupplement(parts: PluginApiParts, supplement: unknown): void {
  const { registrations, call } = parts;
  const { search, get } = isRecord(supplement) ? supplement : {};
  if (typeof search !== 'function' || typeof get !== 'function') {
    refuseRegistration(parts, 'memory corpus supplement registration missing search or get');
    return;
  }
  const asked =
    (name: string, of: typeof search) =>
    (params: object): unknown =>
      call(`the ${name} of its memory corpus`, () => Reflect.apply(of, supplement, [params]) as unknown);
  registrations.memorySupplements.push({
    kind: 'memory corpus supplement',
    id: 'corpus',
    search: asked('search', search),
    get: asked('get', get),
  });
}
