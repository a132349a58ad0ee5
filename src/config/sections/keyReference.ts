import { z } from 'zod';

/** Where a key is kept: the key itself never stands in a file. */
export const keyReference = z
  .union([
    z.strictObject({ secret: z.string().min(1).describe('Name in VS Code secret storage.') }),
    z.strictObject({ env: z.string().min(1).describe('Name of an environment variable.') }),
  ])
  .describe('Where the key is kept. The key itself never stands in a file.');
