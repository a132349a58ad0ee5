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
    .describe(
      'Longest answer, in characters. Of a longer one this much stays, and a line says that it was cut.',
    ),
});

export type ResponseSanitizerOptions = z.infer<typeof responseSanitizerOptions>;
