import { z } from 'zod';

/** Options of every plugin that takes secrets out of texts. */
export const redactionOptions = {
  redactEmails: z.boolean().optional().describe('Put [EMAIL] in place of email addresses.'),
  redactApiKeys: z
    .boolean()
    .optional()
    .describe('Put [REDACTED] in place of keys, tokens and passwords whose shape is known.'),
  strict: z
    .boolean()
    .optional()
    .describe(
      'Take out all that has the form of an email, and every word of 32 or more letters, digits, _ and -. That hits hashes, ids and long names, too.',
    ),
};

export interface RedactionOptions {
  readonly redactEmails?: boolean | undefined;
  readonly redactApiKeys?: boolean | undefined;
  readonly strict?: boolean | undefined;
}
