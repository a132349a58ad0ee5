import { z } from 'zod';

/** Options of every plugin that takes secrets out of texts. */
export const redactionOptions = {
  redactEmails: z.boolean().optional().describe('Replace email addresses with [EMAIL].'),
  redactApiKeys: z
    .boolean()
    .optional()
    .describe('Replace keys, tokens and passwords of known formats with [REDACTED].'),
  strict: z
    .boolean()
    .optional()
    .describe(
      'Remove everything that looks like an email address, and every word of 32 or more letters, digits, _ and -. This also removes hashes, ids and long names.',
    ),
};

export interface RedactionOptions {
  readonly redactEmails?: boolean | undefined;
  readonly redactApiKeys?: boolean | undefined;
  readonly strict?: boolean | undefined;
}
