import { isRecord } from '../../base/json.ts';
import {
  adminPrefixes,
  coreGatewayMethods,
  gatewayScopes,
  type GatewayScope,
} from '../coreGatewayMethods.ts';
import { gatewayMethodTaken } from '../listed/findCollisions.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import { noteGatewayNeeded } from './noteGatewayNeeded.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** `api.registerGatewayMethod`: a method that clients call over the gateway's WebSocket (OpenClaw documentation, Gateway protocol). */
export function registerGatewayMethod(
  parts: PluginApiParts,
  name: unknown,
  handler: unknown,
  options: unknown,
): void {
  const { registrations, manifest, call } = parts;
  const method = typeof name === 'string' ? name.trim() : '';
  const isTaken =
    coreGatewayMethods.some((each) => each === method) ||
    registrations.gatewayMethods.some((each) => each.method === method);
  const problem =
    typeof handler !== 'function'
      ? 'gateway method handler must be a function'
      : method === ''
        ? 'gateway method missing name'
        : isTaken
          ? gatewayMethodTaken(method)
          : undefined;
  if (problem !== undefined) {
    refuseRegistration(parts, problem);
    return;
  }
  const wanted = isRecord(options) ? options['scope'] : undefined;
  const scope = scopeOf(method, wanted);
  if (wanted !== undefined && wanted !== scope)
    registrations.diagnostics.push(
      warnDiagnostic(
        'plugin_gateway_scope',
        `gateway method "${method}" needs ${scope}: ${scopeReason(method)}`,
        {
          pluginId: manifest.id,
        },
      ),
    );
  registrations.gatewayMethods.push({
    method,
    scope,
    handle: async (given) =>
      await call(`the gateway method ${method}`, (): unknown =>
        Reflect.apply(handler as (...args: never[]) => unknown, undefined, [given] as never[]),
      ),
  });
  noteGatewayNeeded(parts);
}

/** Whoever says nothing, or what is not known, asks for the most. Pure. */
function scopeOf(method: string, wanted: unknown): GatewayScope {
  if (isAdministration(method)) return 'operator.admin';
  return gatewayScopes.find((each) => each === wanted) ?? 'operator.admin';
}

function isAdministration(method: string): boolean {
  return adminPrefixes.some((prefix) => method.startsWith(prefix));
}

function scopeReason(method: string): string {
  return isAdministration(method)
    ? 'names that begin so are administration'
    : 'the scope that it asks for is not known';
}
