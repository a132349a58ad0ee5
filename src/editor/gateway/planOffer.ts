import type { PluginRecord, RegistrationKind } from '../../plugins/pluginTypes.ts';

const served: readonly RegistrationKind[] = ['http route', 'http handler', 'gateway method'];

/** The loaded plugins that wait for the gateway and were not asked about. Bundled ones serve the channels that the user has switched on, if at all. Pure. */
export function planOffer(
  plugins: readonly PluginRecord[],
  asked: ReadonlySet<string>,
  channelsOn: ReadonlySet<string>,
): readonly PluginRecord[] {
  return plugins.filter(
    ({ id, origin, registrations }) =>
      (origin !== 'bundled' || (registrations.channel ?? []).some((each) => channelsOn.has(each))) &&
      !asked.has(id) &&
      served.some((kind) => (registrations[kind] ?? []).length > 0),
  );
}
