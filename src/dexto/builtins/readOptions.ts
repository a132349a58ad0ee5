import type { z } from 'zod';
import { PincerError } from '../../base/errors.ts';

/**
 * The options of a built-in, checked once more: it may be made by others than an agent file.
 * @throws PincerError `dexto_options_invalid` that names the plugin and the option
 */
export function readOptions<T>(schema: z.ZodType<T>, name: string, config: unknown): T {
  const read = schema.safeParse(config);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = [name, ...(issue?.path ?? [])].join('.');
  throw new PincerError('dexto_options_invalid', `${place}: ${issue?.message ?? 'is not valid'}`);
}
