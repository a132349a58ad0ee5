// Threat: both the schema and, in a cloned workspace, the settings come from strangers: a pattern that never ends, a schema
// that takes minutes to compile, a reference to a server. So nothing is fetched and the whole check has a time limit.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { createSchemaCheck } from '../../base/createSchemaCheck.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { lazily } from '../../base/lazily.ts';
import { mayTakeLong } from '../../base/mayTakeLong.ts';
import { copyData } from '../../base/untrusted.ts';
import { isTimeout, withTimeLimit } from '../../host/withTimeLimit.ts';

type ValidatedConfig =
  | { readonly ok: true; readonly config: Readonly<Record<string, unknown>> }
  /** `path: message` for each problem; `<root>` is the whole config. */
  | { readonly ok: false; readonly problems: readonly string[]; readonly isSchemaWrong?: boolean };

const maxProblems = 20;
/** Compiling an ordinary schema takes some milliseconds. */
const timeoutMs = 2_000;
/** Longer ones are checked under the time limit, whatever they hold. */
const plainChars = 10_000;

/**
 * Checks a plugin's settings against its manifest's `configSchema` (draft-07) and fills in defaults. Runs
 * before any of the plugin's code; never throws. `config` stays as it is.
 */
export function validatePluginConfig(
  schema: Readonly<Record<string, unknown>>,
  config: unknown,
): ValidatedConfig {
  try {
    const value = config === undefined ? {} : copyData(config);
    if (!isRecord(value)) return { ok: false, problems: ['<root>: must be object'] };
    if (Object.keys(schema).length === 0) {
      return Object.keys(value).length === 0
        ? { ok: true, config: value }
        : { ok: false, problems: ['<root>: config must be empty'] };
    }
    const checkSchema = createSchemaCheck();
    const work = (): readonly ErrorObject[] => check(compile(schema, checkSchema), value);
    const errors = isPlain(schema, value) ? work() : withTimeLimit(work, timeoutMs);
    if (errors.length === 0) return { ok: true, config: value };
    const problems = errors.slice(0, maxProblems).map(problemOf);
    return { ok: false, problems: [...new Set(problems)] };
  } catch (error) {
    const why = isTimeout(error) ? `checking takes more than ${timeoutMs}ms` : errorMessage(error);
    return {
      ok: false,
      problems: [`configSchema is not a valid JSON Schema: ${why}`],
      isSchemaWrong: true,
    };
  }
}

/** What is odd about a schema but does no harm. Pure. */
export function schemaWarnings(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const { $schema } = schema;
  if ($schema === undefined) return [];
  if (typeof $schema === 'string' && /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/u.test($schema))
    return [];
  return ['configSchema is written for another dialect ($schema); it is read as draft-07'];
}

/** Whether the check ends soon for sure; setting up a time limit takes as long as the check of an ordinary schema. */
function isPlain(schema: Readonly<Record<string, unknown>>, value: Record<string, unknown>): boolean {
  const [schemaText, valueText] = [JSON.stringify(schema), JSON.stringify(value)];
  return schemaText.length + valueText.length <= plainChars && !mayTakeLong(schemaText);
}

/** By the text of the schema: a reload reads every plugin again, and hardly a schema has changed. */
const compiled = lazily(() => new Map<string, ValidateFunction>());
const maxCompiled = 500;

/** @throws Error where it is no schema */
function compile(
  schema: Readonly<Record<string, unknown>>,
  checkSchema: ReturnType<typeof createSchemaCheck>,
): ValidateFunction {
  // `$schema` names a dialect, and ajv refuses every one but its own. An `$async` schema would answer with a promise.
  const { $schema: _dialect, $async: _async, ...plain } = schema;
  const known = compiled();
  const text = JSON.stringify(plain);
  const before = known.get(text);
  if (before !== undefined) return before;
  checkSchema(plain);
  const ajv = new Ajv({
    allErrors: true,
    validateSchema: false,
    strict: false,
    useDefaults: true,
    validateFormats: false,
    logger: false,
  });
  const validate = ajv.compile(plain);
  if (known.size >= maxCompiled) known.clear();
  known.set(text, validate);
  return validate;
}

/** Changes `value` where the schema has defaults. */
function check(validate: ValidateFunction, value: Record<string, unknown>): readonly ErrorObject[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

function problemOf(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.') || '<root>';
  const unexpected = (error.params as { readonly additionalProperty?: unknown }).additionalProperty;
  const name = typeof unexpected === 'string' ? ` ("${unexpected}")` : '';
  return `${path}: ${error.message ?? 'is invalid'}${name}`;
}
