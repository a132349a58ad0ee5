import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginManifest } from '../pluginTypes.ts';
import { findPlainSecrets } from './findPlainSecrets.ts';
import type { PlaceOf } from './manifestPlaces.ts';
import { schemaWarnings } from './validatePluginConfig.ts';

interface SettingsToCheck {
  readonly manifest: PluginManifest;
  readonly manifestPath: string;
  readonly placeOf: PlaceOf;
  /** As the config file has it, references to secrets unresolved. */
  readonly config: unknown;
}

/** What is odd about a plugin's schema and settings but does not keep it from running. Pure; never shows a value. */
export function checkSettings(settings: SettingsToCheck): readonly Diagnostic[] {
  const { manifest, manifestPath, placeOf, config } = settings;
  const { id } = manifest;
  const about = { pluginId: id, source: manifestPath, ...placeOf(['configSchema']) };
  return [
    ...schemaWarnings(manifest.configSchema).map((message) =>
      warnDiagnostic('plugin_config_schema_odd', message, about),
    ),
    ...findPlainSecrets(manifest.uiHints, config).map(({ path }) =>
      warnDiagnostic(
        'plugin_config_plain_secret',
        `the setting ${path} of plugin ${id} is a secret that stands in your config as plain text; keep it in secret storage`,
        {
          pluginId: id,
          hint: 'Put { "secret": "name" } or { "env": "NAME" } in its place.',
          fixes: [{ kind: 'configure-plugin', pluginId: id }],
        },
      ),
    ),
  ];
}
