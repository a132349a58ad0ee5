import { Ajv } from 'ajv';
import { createSchemaCheck } from '../../base/createSchemaCheck.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { JsonSchema } from '../../contracts/jsonTypes.ts';

/** The schema of a tool's parameters as plain JSON, or what is wrong with it. */
export type ReadToolSchema = (parameters: unknown) => JsonSchema | string;

const maxRemembered = 2_000;

/** Checking a schema costs a compilation, so each different one is checked once, not for every session. */
export function createToolSchemaReader(): ReadToolSchema {
  const ajv = new Ajv({
    validateSchema: false,
    strict: false,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
  });
  /** By what a plugin brings: the schema that counts, as JSON, or what is wrong. */
  const known = new Map<string, Verdict>();
  return (parameters) => {
    if (!isRecord(parameters)) return 'missing parameters object';
    try {
      // Schema builders leave symbols and methods in their objects; models and validators want JSON.
      const text = JSON.stringify(parameters);
      const verdict = known.get(text) ?? readSchema(ajv, JSON.parse(text));
      if (known.size >= maxRemembered) known.clear();
      known.set(text, verdict);
      // Whoever changes a schema changes its own.
      return 'fault' in verdict ? verdict.fault : (JSON.parse(verdict.json) as JsonSchema);
    } catch (error) {
      return `parameters are no valid JSON Schema: ${errorMessage(error)}`;
    }
  };
}

type Verdict = { readonly json: string } | { readonly fault: string };

/** @throws Error where it is no schema */
function readSchema(ajv: Ajv, schema: unknown): Verdict {
  if (!isRecord(schema)) return { fault: 'missing parameters object' };
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    return { fault: 'parameters must be an object schema' };
  const { $schema: _dialect, ...plain } = schema;
  createSchemaCheck()(plain);
  try {
    ajv.compile(plain);
  } finally {
    // Ajv keeps what it has compiled, schemas with an id even by name.
    ajv.removeSchema(plain);
  }
  return { json: JSON.stringify({ ...plain, type: 'object' }) };
}
