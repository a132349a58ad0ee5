import { isRecord } from '../../base/json.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { MemoryCapabilityRegistration, MemoryRuntime } from '../providers/memoryCapability.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

type Asked = (argument: object) => unknown;

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
export function registerMemoryCapability(parts: PluginApiParts, capability: unknown): void {
  const { registrations, manifest, currentConfig, call } = parts;
  if (!manifest.kind.includes('memory'))
    throw new Error('only memory plugins can register a memory capability');
  if (!isRecord(capability)) {
    refuseRegistration(parts, 'memory capability registration missing capability');
    return;
  }
  const readFunction = (name: string, of = capability): Asked | undefined => {
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
