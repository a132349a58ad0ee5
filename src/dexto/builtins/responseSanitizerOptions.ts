import { z } from 'zod';
import { commonOptions } from './builtIn.ts';
import { redactionOptions } from './redactionOptions.ts';

/** `plugins.responseSanitizer` of an agent file (Dexto plugin specification, Response Sanitizer Plugin). */
export const responseSanitizerOptions = z.strictObject({
  ...commonOptions,
  ...redactionOptions,
  maxResponseLength: z
    .int()
    .min(1)
    .optional()
    .describe('Maximum length of an answer, in characters. A longer one is truncated, and a line says so.'),
});

export type ResponseSanitizerOptions = z.infer<typeof responseSanitizerOptions>;
