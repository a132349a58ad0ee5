import { errorDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';

/** Names a registration that is left out; one bad registration must not take the good ones with it. */
export function refuseRegistration(
  { registrations, manifest, candidate }: PluginApiParts,
  message: string,
  code = 'plugin_registration_refused',
): void {
  const subject = { pluginId: manifest.id, source: candidate.source };
  registrations.diagnostics.push(errorDiagnostic(code, message, subject));
}
