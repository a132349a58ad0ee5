import { createConfigRedactor } from './createConfigRedactor.ts';
import { findPlainSecrets } from './findPlainSecrets.ts';
import { resolveConfigSecrets, type SecretSources } from './resolveConfigSecrets.ts';
import { validatePluginConfig } from './validatePluginConfig.ts';
import type { PluginManifest } from '../pluginTypes.ts';

export type PreparedConfig = {
  /** Takes the plugin's secrets out of a text; everything that is logged or shown of it goes through this. */
  readonly redact: (text: string) => string;
} & (
  | { readonly ok: true; readonly config: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string }
);

interface ConfigToPrepare {
  readonly manifest: Pick<PluginManifest, 'configSchema' | 'uiHints'>;
  readonly config: unknown;
  /** False where the settings come from the workspace. */
  readonly mayResolve: boolean;
}

/** What a plugin gets as its settings: secrets in place, checked, with defaults. Never rejects. */
export async function preparePluginConfig(
  { manifest, config, mayResolve }: ConfigToPrepare,
  sources: SecretSources,
): Promise<PreparedConfig> {
  const schema = manifest.configSchema;
  const plain = findPlainSecrets(manifest.uiHints, config).map(({ value }) => value);
  const resolved = await resolveConfigSecrets(config, { sources, schema, mayResolve });
  if (!resolved.ok)
    return { ok: false, message: invalid(resolved.problems), redact: createConfigRedactor(plain) };
  const redact = createConfigRedactor([...plain, ...resolved.values]);
  const validated = validatePluginConfig(schema, resolved.config);
  return validated.ok
    ? { ok: true, config: validated.config, redact }
    : { ok: false, message: redact(invalid(validated.problems)), redact };
}

function invalid(problems: readonly string[]): string {
  return `invalid config: ${problems.join('; ')}`;
}
