import { Ajv, type ErrorObject } from 'ajv';
import { errorMessage } from '../../base/errors.ts';
import { copyData } from '../../hooks/copyData.ts';

export type ValidatedConfig =
  | { readonly ok: true; readonly config: Readonly<Record<string, unknown>> }
  /** `path: message` for each problem; `<root>` is the whole config. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Checks a plugin's settings against its manifest's `configSchema` and fills in defaults (rulings P13). Runs before any of
 * the plugin's code. Pure: `config` stays as it is.
 */
export function validatePluginConfig(
  schema: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>> | undefined,
): ValidatedConfig {
  const value = copyData(config ?? {});
  if (Object.keys(schema).length === 0) {
    return Object.keys(value).length === 0
      ? { ok: true, config: value }
      : { ok: false, problems: ['<root>: config must be empty'] };
  }
  try {
    // `$schema` only names the dialect; ajv would refuse every one but its own.
    const { $schema: _dialect, ...plain } = schema;
    const ajv = new Ajv({
      allErrors: true,
      strict: false,
      useDefaults: true,
      validateFormats: false,
      logger: false,
    });
    const validate = ajv.compile(plain);
    if (validate(value)) return { ok: true, config: value };
    return { ok: false, problems: (validate.errors ?? []).map(problemOf) };
  } catch (error) {
    return { ok: false, problems: [`configSchema is no valid JSON Schema: ${errorMessage(error)}`] };
  }
}

function problemOf(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.') || '<root>';
  const unexpected = (error.params as { readonly additionalProperty?: unknown }).additionalProperty;
  const name = typeof unexpected === 'string' ? ` ("${unexpected}")` : '';
  return `${path}: ${error.message ?? 'is invalid'}${name}`;
}
