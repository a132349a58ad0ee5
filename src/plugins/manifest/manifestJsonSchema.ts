import { z } from 'zod';
import { manifestSchema } from './manifestSchema.ts';

/** JSON Schema of `openclaw.plugin.json` for editors (`contributes.jsonValidation`), from the schema the parser uses. */
export function manifestJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(manifestSchema, { target: 'draft-7', io: 'input' });
  const { configSchema } = schema.properties ?? {};
  // Inside of it, editors help with JSON Schema itself.
  if (typeof configSchema === 'object') {
    configSchema.allOf = [{ $ref: 'http://json-schema.org/draft-07/schema#' }];
  }
  return schema;
}
