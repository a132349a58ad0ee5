import type { PincerError } from '../base/errors.ts';
import type { ProviderConfig } from '../config/mergeConfig.ts';
import type { Host } from '../host/ports.ts';
import { modelFailure } from '../models/modelFailure.ts';
import { providerOfUrl } from '../models/providers/providerCatalog.ts';

/**
 * Reads the key of a provider of the config before each request, so that a new one counts at once. A config says where a key
 * is kept, never the key. Undefined where the server needs none. The result rejects with `model_no_key` where the place is
 * empty, and where a service that needs a key has none, before anything is sent.
 */
export function configuredKey(
  id: string,
  { apiKey, baseUrl, headers }: ProviderConfig,
  host: Pick<Host, 'env' | 'secrets'>,
): (() => Promise<string | undefined>) | undefined {
  if (apiKey === undefined) {
    const service = providerOfUrl(baseUrl);
    // A header may carry it, where a company has a gateway of its own.
    const isMissing = service?.needsKey === true && headers === undefined;
    return isMissing
      ? () => Promise.reject(noKey(`${service.label} needs a key, and ${id} has none.`))
      : undefined;
  }
  return async () => {
    const key = 'env' in apiKey ? host.env[apiKey.env] : await host.secrets.get(apiKey.secret);
    if (key !== undefined && key.trim() !== '') return key.trim();
    if ('env' in apiKey) {
      const message = `The key of ${id} is missing: the environment variable ${apiKey.env} is empty.`;
      throw noKey(message, `Set ${apiKey.env} and start again.`);
    }
    throw noKey(`The key of ${id} is missing: the secret ${apiKey.secret} is empty.`);
  };
}

function noKey(
  message: string,
  hint = 'Run “Pincer: Add Model…” to enter it. The command line reads keys from environment variables: "apiKey": { "env": "NAME" }.',
): PincerError {
  return modelFailure('model_no_key', message, { hint });
}
