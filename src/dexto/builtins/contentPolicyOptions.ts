import { z } from 'zod';
import { commonOptions } from './builtIn.ts';
import { redactionOptions } from './redactionOptions.ts';

/** `plugins.contentPolicy` of an agent file (Dexto plugin specification, Content Policy Plugin). */
export const contentPolicyOptions = z.strictObject({
  ...commonOptions,
  maxInputChars: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Maximum length of a message, in characters. A longer one is blocked, or truncated if tooLong says so.',
    ),
  tooLong: z
    .enum(['block', 'cut'])
    .optional()
    .describe('What happens to a message that is too long. Default block.'),
  blockedWords: z
    .array(z.string().trim().min(1).max(200))
    .max(1_000)
    .optional()
    .describe('A message with one of these words or phrases is blocked. Matches whole words, ignoring case.'),
  ...redactionOptions,
});

export type ContentPolicyOptions = z.infer<typeof contentPolicyOptions>;
