import { isRecord } from '../../base/json.ts';
import type { FormField } from './formModel.ts';

/** What the controls hold, by field id: text of boxes and lists, the index of a choice, on or off. */
export type RawValues = Readonly<Record<string, string | boolean>>;

/** How a secret stands in the config; its value is never shown. */
export type SecretState = 'empty' | 'stored' | 'environment' | 'plain-text';

/** What the user wants with a secret field beside typing a new value. */
export const clearSecret = '\u0000clear';

/** What the form starts with: the config as the user wrote it. Secrets start empty. Pure. */
export function toRawValues(fields: readonly FormField[], config: unknown): RawValues {
  return Object.fromEntries(fields.map((field) => [field.id, toRaw(field, valueAt(config, field.path))]));
}

function toRaw(field: FormField, value: unknown): string | boolean {
  switch (field.control) {
    case 'secret':
      return '';
    case 'checkbox':
      return (value ?? field.default) === true;
    case 'choice': {
      const index = field.choices.findIndex((each) => each === value);
      return index === -1 ? '' : String(index);
    }
    case 'lines':
      return Array.isArray(value) ? value.map(String).join('\n') : '';
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
    case 'text':
    case 'number':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }
}

/** How the secret of a field is kept now. Pure. */
export function secretState(config: unknown, field: FormField): SecretState {
  const value = valueAt(config, field.path);
  if (typeof value === 'string') return value === '' ? 'empty' : 'plain-text';
  if (!isRecord(value)) return 'empty';
  return typeof value['secret'] === 'string' ? 'stored' : 'environment';
}

/** What saving would do. */
interface FormReading {
  /** The plugin's whole settings; keys that the form does not know are kept. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Secrets to store under a name, or to forget where `value` is undefined. */
  readonly secrets: readonly { readonly name: string; readonly value: string | undefined }[];
  /** What is wrong, by field id. Empty: it can be saved. */
  readonly problems: Readonly<Record<string, FieldProblem>>;
}

export type FieldProblem =
  | { readonly is: 'required' | 'no-number' | 'no-integer' | 'no-choice' }
  | { readonly is: 'too-small' | 'too-large' | 'too-short' | 'too-long'; readonly limit: number }
  | { readonly is: 'no-json'; readonly message: string };

/** Reads the controls. An empty one means: not set, so that the plugin's default counts. Pure. */
export function readForm(
  pluginId: string,
  fields: readonly FormField[],
  raw: RawValues,
  before: Readonly<Record<string, unknown>>,
): FormReading {
  let config: Record<string, unknown> = before;
  const secrets: { name: string; value: string | undefined }[] = [];
  const problems: Record<string, FieldProblem> = {};
  for (const field of fields) {
    const entered = raw[field.id] ?? '';
    if (field.control === 'secret') {
      const change = readSecret(pluginId, field, entered, before);
      if (change !== undefined) {
        config = withValue(config, field.path, change.reference);
        secrets.push({ name: change.name, value: change.value });
      }
      const isMissing = valueAt(config, field.path) === undefined;
      if (isMissing && field.isRequired) problems[field.id] = { is: 'required' };
      continue;
    }
    const read = readControl(field, entered, before);
    if ('problem' in read) problems[field.id] = read.problem;
    else config = withValue(config, field.path, read.value);
  }
  return { config, secrets, problems };
}

/** The name under which a secret of a plugin is stored. */
function secretName(pluginId: string, path: readonly string[]): string {
  return `plugin.${pluginId}.${path.join('.')}`;
}

function readSecret(
  pluginId: string,
  field: FormField,
  entered: string | boolean,
  before: unknown,
): { readonly name: string; readonly value: string | undefined; readonly reference: unknown } | undefined {
  if (typeof entered !== 'string' || entered === '') return undefined;
  const name = secretName(pluginId, field.path);
  if (entered !== clearSecret) return { name, value: entered, reference: { secret: name } };
  return secretState(before, field) === 'empty'
    ? undefined
    : { name, value: undefined, reference: undefined };
}

type ControlValue = { readonly value: unknown } | { readonly problem: FieldProblem };

function readControl(field: FormField, entered: string | boolean, before: unknown): ControlValue {
  if (typeof entered === 'boolean') return { value: readSwitch(field, entered, before) };
  const text = field.control === 'text' ? entered : entered.trim();
  if (text === '') {
    const isMissing = field.isRequired && field.default === undefined;
    return isMissing ? { problem: { is: 'required' } } : { value: undefined };
  }
  switch (field.control) {
    case 'number':
      return readNumber(field, text);
    case 'choice': {
      const choice = field.choices[Number(text)];
      return choice === undefined ? { problem: { is: 'no-choice' } } : { value: choice };
    }
    case 'lines':
      return {
        value: text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      };
    case 'json':
      return readJson(text);
    default:
      return readText(field, text);
  }
}

/** A switch that stands at its default is written only where the config had it already. */
function readSwitch(field: FormField, isOn: boolean, before: unknown): boolean | undefined {
  const isWritten = valueAt(before, field.path) !== undefined || field.isRequired;
  return isOn === (field.default === true) && !isWritten ? undefined : isOn;
}

function readNumber({ limits }: FormField, text: string): ControlValue {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: { is: 'no-number' } };
  if (limits.isInteger && !Number.isInteger(value)) return { problem: { is: 'no-integer' } };
  if (limits.min !== undefined && value < limits.min)
    return { problem: { is: 'too-small', limit: limits.min } };
  if (limits.max !== undefined && value > limits.max)
    return { problem: { is: 'too-large', limit: limits.max } };
  return { value };
}

function readText({ limits }: FormField, value: string): ControlValue {
  if (limits.minLength !== undefined && value.length < limits.minLength)
    return { problem: { is: 'too-short', limit: limits.minLength } };
  if (limits.maxLength !== undefined && value.length > limits.maxLength)
    return { problem: { is: 'too-long', limit: limits.maxLength } };
  return { value };
}

function readJson(text: string): ControlValue {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: { is: 'no-json', message: error instanceof Error ? error.message : 'no JSON' } };
  }
}

function valueAt(config: unknown, path: readonly string[]): unknown {
  let value = config;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** A copy with one value set; `undefined` takes it out, and the objects that are empty without it. */
function withValue(
  config: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [name, ...rest] = path;
  if (name === undefined) return config;
  const { [name]: current, ...others } = config;
  const next =
    rest.length === 0 ? value : emptyToUndefined(withValue(isRecord(current) ? current : {}, rest, value));
  if (next === undefined) return others;
  // The order of the keys stays.
  return Object.hasOwn(config, name) ? { ...config, [name]: next } : { ...others, [name]: next };
}

function emptyToUndefined(value: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
