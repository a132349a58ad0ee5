import { z } from 'zod';

const credentialSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('api_key'), key: z.string().min(1) }),
  z.looseObject({ type: z.literal('token'), token: z.string().min(1), expires: z.number().optional() }),
  z.looseObject({ type: z.literal('oauth'), access: z.string().min(1), expires: z.number().optional() }),
]);

/** What a provider got for its user; `expires` is in milliseconds since 1970. */
export type ProviderCredential = z.infer<typeof credentialSchema>;

/** The longest credential that is kept. Characters of JSON. */
const maxCredential = 64 * 1024;

/** @throws Error that says what is wrong with it */
export function readCredential(given: unknown): ProviderCredential {
  const copied: unknown = JSON.parse(JSON.stringify(given ?? null));
  const { success, data } = credentialSchema.safeParse(copied);
  if (!success) throw new Error('it gave no credential (api_key, token or oauth)');
  if (JSON.stringify(data).length > maxCredential) throw new Error('its credential is longer than 64 KiB');
  return data;
}
