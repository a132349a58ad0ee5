import { plural } from '../../base/text.ts';
import { infoDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';

/** One line for all that the plugin registers for the gateway; lists name what that is. */
export function noteGatewayNeeded({ registrations, manifest }: PluginApiParts): void {
  const { diagnostics, gatewayMethods, httpRoutes } = registrations;
  const counts: readonly (readonly [number, string, string])[] = [
    [gatewayMethods.length, 'gateway method', 'gateway methods'],
    [httpRoutes.length, 'HTTP route', 'HTTP routes'],
  ];
  const what = counts.flatMap(([count, one, many]) => (count === 0 ? [] : [plural(count, one, many)]));
  const total = gatewayMethods.length + httpRoutes.length;
  const note = infoDiagnostic(
    'plugin_needs_gateway',
    `${what.join(' and ')} ${total === 1 ? 'is' : 'are'} served while the gateway runs.`,
    {
      pluginId: manifest.id,
      hint: 'Switch it on with Pincer: Start Gateway, or gateway.enabled in your config.',
    },
  );
  const at = diagnostics.findIndex(({ code }) => code === note.code);
  diagnostics.splice(at < 0 ? diagnostics.length : at, 1, note);
}
