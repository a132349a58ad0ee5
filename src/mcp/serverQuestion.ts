// Threat: a server asks for a password in the guise of a form, sends people to a page that passes for another, or asks when nobody wanted
// anything of it. So a form that asks for a secret is refused with the reason, an address is shown whole and opened only by a click, and
// nothing is asked but while one of its tools is called.
import { PincerError } from '../base/errors.ts';
import { isRecord, isTooDeep, jsonSize } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import { asksForSecret } from './asksForSecret.ts';

/** One thing that a form asks for. */
export interface QuestionField {
  readonly name: string;
  /** What people read; of the server. */
  readonly label: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  /** Values of a choice with what people read. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly preset?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** How many of the choices. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** What a server wants to know of a person, in the middle of a call. */
export type ServerQuestion = { readonly server: string; readonly message: string } & (
  | { readonly kind: 'form'; readonly fields: readonly QuestionField[] }
  /** The whole address; the host as it is resolved. */
  | { readonly kind: 'address'; readonly url: string; readonly host: string }
);

export type FieldValue = string | number | boolean | readonly string[];

export type ServerAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, FieldValue>> }
  | { readonly action: 'decline' | 'cancel' };

/** Asks the person in front of a front end. `signal` aborts when nobody waits for the answer any more. */
export type AskPerson = (question: ServerQuestion, signal: AbortSignal) => Promise<ServerAnswer>;

const maxFields = 20;
/** Of all that a form says: nobody reads more, and every word of it is read for secrets. */
const maxFormChars = 40_000;
const maxChoices = 200;

/** Reads what a server asks; a text is why it is refused, as the end of a sentence. Pure. */
export function readQuestion(server: string, params: unknown): ServerQuestion | string {
  if (!isRecord(params)) return 'it asked for nothing that can be understood';
  const message = inertLine(text(params['message']), 500);
  if (params['mode'] === 'url') return readAddress({ server, message }, params['url']);
  const schema = params['requestedSchema'];
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(schema) || !isRecord(properties)) return 'its form has no fields';
  const isTooLong =
    jsonSize(schema, maxFormChars) > maxFormChars ||
    isTooDeep(schema) ||
    JSON.stringify(schema).length > maxFormChars;
  if (isTooLong) return `its form has more than ${maxFormChars} characters`;
  const entries = Object.entries(properties);
  if (entries.length > maxFields) return `its form has more than ${maxFields} fields`;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields: QuestionField[] = [];
  for (const [name, field] of entries) {
    const read = readField(name, field, required.includes(name));
    if (typeof read === 'string') return read;
    fields.push(read);
  }
  if (asksForSecret(text(params['message'])))
    return 'it asked for a secret, which belongs into no form of a server';
  return { server, message, kind: 'form', fields };
}

function readAddress(
  said: { readonly server: string; readonly message: string },
  given: unknown,
): ServerQuestion | string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === '127.0.0.1');
  if (url === undefined || !isSafe) return 'it named an address that is not one of https';
  if (url.username !== '' || url.password !== '') return 'its address hides its host behind a user name';
  return { ...said, kind: 'address', url: url.href, host: url.host };
}

function readField(name: string, field: unknown, isRequired: boolean): QuestionField | string {
  if (!isRecord(field)) return `its field ${inertLine(name, 40)} is none`;
  const kind = kindOf(field);
  if (kind === undefined) return `its field ${inertLine(name, 40)} is of no kind that a form has`;
  const number = (key: string): Readonly<Record<string, number>> =>
    typeof field[key] === 'number' ? { [key]: field[key] } : {};
  const preset = field['default'];
  const shown = [text(field['title']) === '' ? name : text(field['title']), text(field['description'])]
    .filter((each) => each !== '')
    .join(': ');
  const choices = choicesOf(field);
  if (choices.length > maxChoices)
    return `its field ${inertLine(name, 40)} has more than ${maxChoices} choices`;
  const words = [
    ...[name, shown, text(field['format']), text(preset)],
    ...choices.flatMap(({ value, label }) => [value, label]),
  ];
  if (words.some(asksForSecret))
    return `it asked for a secret (${inertLine(name, 40)}), which belongs into no form of a server`;
  return {
    name,
    label: inertLine(shown, 200),
    isRequired,
    kind,
    choices,
    ...(['string', 'number', 'boolean'].includes(typeof preset)
      ? { preset: inertLine(String(preset), 500) }
      : {}),
    ...number('minLength'),
    ...number('maxLength'),
    ...number('minimum'),
    ...number('maximum'),
    ...number('minItems'),
    ...number('maxItems'),
  };
}

function kindOf(field: Readonly<Record<string, unknown>>): QuestionField['kind'] | undefined {
  switch (field['type']) {
    case 'string':
      return choicesOf(field).length > 0 ? 'choice' : 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return field['type'];
    case 'array':
      return choicesOf(field).length > 0 ? 'choices' : undefined;
    default:
      return undefined;
  }
}

function choicesOf(field: Readonly<Record<string, unknown>>): QuestionField['choices'] {
  const from = field['type'] === 'array' && isRecord(field['items']) ? field['items'] : field;
  const named: unknown = from['oneOf'] ?? from['anyOf'];
  if (Array.isArray(named))
    return named.flatMap((each: unknown) =>
      isRecord(each) && typeof each['const'] === 'string'
        ? [{ value: each['const'], label: inertLine(text(each['title']) || each['const'], 120) }]
        : [],
    );
  const values: readonly unknown[] = Array.isArray(from['enum']) ? from['enum'] : [];
  const labels: readonly unknown[] = Array.isArray(from['enumNames']) ? from['enumNames'] : [];
  return values.flatMap((value, at) =>
    typeof value === 'string' ? [{ value, label: inertLine(text(labels[at]) || value, 120) }] : [],
  );
}

/**
 * What a box says that asks for an argument of a prompt or a variable of a template. Pure.
 * @throws PincerError `mcp_question_refused` where it asks for a secret
 */
export function labelArgument(name: string, description: string): string {
  const label = description === '' ? name : `${name}: ${description}`;
  if (!asksForSecret(label)) return inertLine(label, 200);
  throw new PincerError(
    'mcp_question_refused',
    `The MCP server asked for a secret (${inertLine(name, 40)}), which nobody is asked for.`,
    { hint: 'Where the server needs a key, name it in its entry of mcp.servers.' },
  );
}

/**
 * The value that was typed for a field, or the values that were ticked; undefined where it was left empty. A text is what is wrong with
 * it. Pure.
 */
export function readTyped(
  field: QuestionField,
  given: string | readonly string[],
): { readonly value: FieldValue | undefined } | string {
  if (given.length === 0) return field.isRequired ? 'This is needed.' : { value: undefined };
  const { kind, choices, minLength = 0, maxLength = 10_000, minimum = -Infinity, maximum = Infinity } = field;
  if (kind === 'choices')
    return readChosen(field, typeof given === 'string' ? splitChoices(field, given) : given);
  const typed = typeof given === 'string' ? given : (given[0] ?? '');
  switch (kind) {
    case 'text':
      if (typed.length < minLength) return `At least ${minLength} characters.`;
      return typed.length > maxLength ? `At most ${maxLength} characters.` : { value: typed };
    case 'number':
    case 'integer': {
      const value = Number(typed);
      if (!Number.isFinite(value) || (kind === 'integer' && !Number.isInteger(value)))
        return kind === 'integer' ? 'A whole number.' : 'A number.';
      if (value < minimum) return `At least ${minimum}.`;
      return value > maximum ? `At most ${maximum}.` : { value };
    }
    case 'boolean':
      return ['true', 'yes', 'y'].includes(typed.toLowerCase())
        ? { value: true }
        : ['false', 'no', 'n'].includes(typed.toLowerCase())
          ? { value: false }
          : 'Yes or no.';
    case 'choice':
      return choices.some(({ value }) => value === typed) ? { value: typed } : 'One of the values.';
  }
}

function readChosen(
  { choices, minItems = 0, maxItems = Infinity }: QuestionField,
  given: readonly string[],
): { readonly value: FieldValue } | string {
  const values = [...new Set(given)];
  if (!values.every((each) => choices.some(({ value }) => value === each)))
    return 'Some of the values, with commas between them.';
  if (values.length < minItems) return `At least ${minItems} of the values.`;
  return values.length > maxItems ? `At most ${maxItems} of the values.` : { value: values };
}

/** What stands between commas; a value that has one itself is taken whole. */
function splitChoices({ choices }: QuestionField, typed: string): readonly string[] {
  const longestFirst = choices.map(({ value }) => value).sort((a, b) => b.length - a.length);
  const found: string[] = [];
  for (let rest = typed.trim(); rest !== '';) {
    const value =
      longestFirst.find(
        (each) => each !== '' && rest.startsWith(each) && /^\s*(?:,|$)/u.test(rest.slice(each.length)),
      ) ??
      rest.split(',')[0] ??
      '';
    found.push(value);
    rest = rest.slice(value.length).replace(/^\s*,?\s*/u, '');
  }
  return found;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
