// Threat: a plugin's tool brings a pattern that never ends, such as ^(a+)+$, and a model's words for it. So patterns have a time limit.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { createSchemaCheck } from '../base/createSchemaCheck.ts';
import { errorMessage } from '../base/errors.ts';
import { isRecord, isTooDeep, maxJsonDepth } from '../base/json.ts';
import { isTimeout, withTimeLimit } from '../host/withTimeLimit.ts';
import type { Params } from '../contracts/json.ts';
import type { ToolDefinition } from '../contracts/tool.ts';

/** Checks schemas once for each tool object, and parameters by them. */
export interface ParamsValidator {
  /** Why a tool's parameter schema can't be used, or undefined where it can. */
  findSchemaFault(tool: ToolDefinition): string | undefined;
  /** One line for each fault, as a model reads it: `edits.0.oldText: must be string`. Empty where all is well. */
  validate(tool: ToolDefinition, params: Params): readonly string[];
}

type Compiled =
  { readonly validate: ValidateFunction; readonly hasPattern: boolean } | { readonly fault: string };

/** A pattern that takes longer may never end. */
const patternPatienceMs = 1_000;

export function createParamsValidator(): ParamsValidator {
  // Nothing is coerced or filled in: what is approved is what the model wrote. Two plugins may use the same $id.
  const ajv = new Ajv({
    allErrors: true,
    validateSchema: false,
    strict: false,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
  });
  const compiled = new WeakMap<ToolDefinition, Compiled>();
  const compile = (tool: ToolDefinition): Compiled => {
    const known = compiled.get(tool) ?? compileSchema(ajv, tool.parameters);
    compiled.set(tool, known);
    return known;
  };
  return {
    findSchemaFault: (tool) => {
      const found = compile(tool);
      return 'fault' in found ? found.fault : undefined;
    },
    validate: (tool, params) => {
      if (isTooDeep(params)) return [`parameters: they are nested more than ${maxJsonDepth} levels deep`];
      const found = compile(tool);
      if ('fault' in found) return [found.fault];
      const { validate } = found;
      try {
        const isValid = found.hasPattern
          ? withTimeLimit(() => validate(params), patternPatienceMs)
          : validate(params);
        return isValid ? [] : (validate.errors ?? []).map(lineOf);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        return [`parameters: a pattern of the tool's schema took more than ${patternPatienceMs} ms to check`];
      }
    },
  };
}

function compileSchema(ajv: Ajv, schema: unknown): Compiled {
  if (!isRecord(schema)) return { fault: 'its parameters are no JSON Schema object' };
  if (schema['type'] !== 'object') return { fault: 'the root of its parameters must have "type": "object"' };
  if (schema['$async'] !== undefined) return { fault: 'its parameters use $async' };
  try {
    // The dialect is left out: newer ones would be refused for their name alone.
    const { $schema: _dialect, ...plain } = schema;
    createSchemaCheck()(plain);
    const hasPattern = JSON.stringify(plain).includes('"pattern');
    return { validate: ajv.compile(plain), hasPattern };
  } catch (error) {
    return { fault: `its parameters are no valid JSON Schema: ${errorMessage(error)}` };
  }
}

function lineOf(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  return `${path === '' ? 'parameters' : path}: ${error.message ?? 'is not valid'}${detailOf(error)}`;
}

function detailOf({ params }: ErrorObject): string {
  const extra: unknown = params['additionalProperty'];
  const allowed: unknown = params['allowedValues'];
  if (typeof extra === 'string') return ` ("${extra}")`;
  return Array.isArray(allowed) ? ` (${allowed.map((value) => JSON.stringify(value)).join(', ')})` : '';
}
