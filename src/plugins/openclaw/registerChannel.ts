import { labelOf, readChannelPlugin } from '../../channels/channelPlugin.ts';
import { channelTaken } from '../listed/findCollisions.ts';
import { infoDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** `api.registerChannel`: a message channel, given directly or as `plugin` (OpenClaw plugin API, OpenClawPluginApi Methods). */
export function registerChannel(parts: PluginApiParts, registration: unknown): void {
  const { registrations, manifest, call } = parts;
  const plugin = readChannelPlugin(registration);
  if (plugin === undefined) {
    refuseRegistration(parts, 'channel registration missing id');
    return;
  }
  const { id } = plugin;
  if (registrations.channels.some((each) => each.id === id)) {
    refuseRegistration(parts, channelTaken(id, manifest.id));
    return;
  }
  registrations.channels.push({ id, plugin, call });
  registrations.diagnostics.push(
    infoDiagnostic('plugin_channel', `The channel ${labelOf(plugin)} runs once you enable it.`, {
      pluginId: manifest.id,
      hint: `Set channels.${id}.enabled to true in your config; docs/channels.md tells the rest.`,
    }),
  );
}
