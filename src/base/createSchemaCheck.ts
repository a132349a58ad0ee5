import { Ajv } from 'ajv';
import { lazily } from './lazily.ts';

/** Compiled once for the process: an Ajv that does it itself takes longer for the draft's own schema than for most schemas. */
const draft07 = lazily(() => {
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false, logger: false });
  ajv.getSchema('http://json-schema.org/draft-07/schema');
  return ajv;
});

/**
 * What checks whether a schema is a JSON Schema of draft-07; for an Ajv with `validateSchema: false`. To be made outside of a time
 * limit that the check is put under: the first time takes longest.
 * @returns a function that throws an error which names every fault
 */
export function createSchemaCheck(): (schema: Readonly<Record<string, unknown>>) => void {
  const ajv = draft07();
  return (schema) => void ajv.validateSchema(schema, true);
}
