import { z } from 'zod';

/** Where a key is kept: the key itself never stands in a file. */
export const keyReference = z
  .union([
    z.strictObject({ secret: z.string().min(1).describe('Name in VS Code secret storage.') }),
    z.strictObject({ env: z.string().min(1).describe('Name of an environment variable.') }),
  ])
  .describe('Reference to the API key. The key itself is never written to a file.');
