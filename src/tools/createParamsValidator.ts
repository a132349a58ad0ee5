// Threat: a plugin's tool brings a pattern that never ends, such as ^(a+)+$, and a model's words for it. So patterns have a time limit.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { createSchemaCheck } from '../base/createSchemaCheck.ts';
import { errorMessage } from '../base/errors.ts';
import { isRecord, isTooDeep, maxJsonDepth } from '../base/json.ts';
import { mayTakeLong } from '../base/mayTakeLong.ts';
import { isTimeout, withTimeLimit } from '../host/withTimeLimit.ts';
import type { Params } from '../contracts/jsonTypes.ts';
import type { ToolDefinition } from '../contracts/tool.ts';

/** Checks each different schema once, however many tools bring it in however many turns, and parameters by it. */
export interface ParamsValidator {
  /** Why a tool's parameter schema can't be used, or undefined where it can. */
  findSchemaFault(tool: ToolDefinition): string | undefined;
  /** One line for each fault, as a model reads it: `edits.0.oldText: must be string`. Empty where all is well. */
  validate(tool: ToolDefinition, params: Params): readonly string[];
  /**
   * Parameters without keys that `given` did not have and the schema knows in no form: what a plugin added to a call whose tool takes no
   * such thing. `dropped` names them, as `edits.0.note`; none where it can't be checked. Changes nothing it is given.
   */
  dropAdded(
    tool: ToolDefinition,
    given: Params,
    params: Params,
  ): { readonly kept: Params; readonly dropped: readonly string[] };
}

interface Checker {
  readonly validate: ValidateFunction;
  readonly needsLimit: boolean;
}

type Compiled = Checker | { readonly fault: string };

/** What takes longer may never end. */
const timeoutMs = 1_000;

const maxRemembered = 2_000;

export function createParamsValidator(): ParamsValidator {
  // Nothing is coerced or filled in: what is approved is what the model wrote.
  const ajv = new Ajv({
    allErrors: true,
    validateSchema: false,
    strict: false,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
  });
  const known = new Map<string, Compiled>();
  const compile = ({ parameters }: ToolDefinition): Compiled => {
    if (!isRecord(parameters)) return { fault: 'its parameters are no JSON Schema object' };
    const text = JSON.stringify(parameters);
    const compiled = known.get(text) ?? compileSchema(ajv, parameters, text);
    if (!known.has(text) && known.size >= maxRemembered) known.clear();
    known.set(text, compiled);
    return compiled;
  };
  /** @throws where checking takes too long */
  const check = ({ validate, needsLimit }: Checker, params: Params): readonly ErrorObject[] => {
    const isValid = needsLimit ? withTimeLimit(() => validate(params), timeoutMs) : validate(params);
    return isValid ? [] : (validate.errors ?? []);
  };
  /** Where they stand, as paths: `['edits', '0', 'note']`. */
  const findUnknownKeys = (tool: ToolDefinition, params: Params): readonly (readonly string[])[] => {
    const found = isTooDeep(params) ? { fault: 'too deep' } : compile(tool);
    if ('fault' in found) return [];
    try {
      return check(found, params).flatMap(unknownKeyOf);
    } catch (error) {
      if (!isTimeout(error)) throw error;
      return [];
    }
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
      try {
        return check(found, params).map(lineOf);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        return [`parameters: checking them by the tool's schema took more than ${timeoutMs} ms`];
      }
    },
    dropAdded(tool, given, params) {
      const added = findUnknownKeys(tool, params).filter((path) => !hasPath(given, path));
      const kept = structuredClone(params);
      for (const path of added) removeAt(kept, path);
      return { kept, dropped: added.map((path) => path.join('.')) };
    },
  };
}

function compileSchema(ajv: Ajv, schema: Readonly<Record<string, unknown>>, text: string): Compiled {
  if (schema['type'] !== 'object') return { fault: 'the root of its parameters must have "type": "object"' };
  if (schema['$async'] !== undefined) return { fault: 'its parameters use $async' };
  // The dialect is left out: newer ones would be refused for their name alone.
  const { $schema: _dialect, ...plain } = schema;
  try {
    createSchemaCheck()(plain);
    return { validate: ajv.compile(plain), needsLimit: mayTakeLong(text) };
  } catch (error) {
    return { fault: `its parameters are no valid JSON Schema: ${errorMessage(error)}` };
  } finally {
    // Ajv keeps what it has compiled, and two plugins may use the same $id.
    ajv.removeSchema(plain);
  }
}

/** A key that one of several forms knows is not unknown. */
function unknownKeyOf({ keyword, params, instancePath, schemaPath }: ErrorObject): readonly string[][] {
  const key: unknown = params['additionalProperty'];
  if (keyword !== 'additionalProperties' || typeof key !== 'string') return [];
  if (/\/(?:anyOf|oneOf)\//u.test(schemaPath)) return [];
  const path = instancePath.split('/').slice(1);
  return [[...path.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), key]];
}

function hasPath(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  return isObject(value) && Object.hasOwn(value, key) && hasPath(value[key], rest);
}

function removeAt(value: unknown, [key, ...rest]: readonly string[]): void {
  if (key === undefined || !isObject(value)) return;
  if (rest.length === 0) Reflect.deleteProperty(value, key);
  else removeAt(value[key], rest);
}

/** A list, too: its keys are numbers. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
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
