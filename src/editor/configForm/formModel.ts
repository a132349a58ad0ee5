// Threat: schema and hints come from the plugin's manifest, also from one the user has not enabled. Nothing of them is run: no
// `pattern` is evaluated (it could hang the editor), depth and number of fields are bounded, and names such as `__proto__`
// are left to the JSON field.
import { isRecord } from '../../base/json.ts';
import { inertLine, truncate } from '../../base/text.ts';

/** How a setting is entered. `json` takes whatever has no form of its own. */
type FieldControl = 'text' | 'secret' | 'number' | 'checkbox' | 'choice' | 'lines' | 'json';

/** One setting. */
export interface FormField {
  readonly kind: 'field';
  /** Unique in the form, and usable as the id of an element. */
  readonly id: string;
  readonly path: readonly string[];
  readonly control: FieldControl;
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  readonly isAdvanced: boolean;
  readonly isRequired: boolean;
  readonly default?: unknown;
  /** Of `choice`: what the config may hold. */
  readonly choices: readonly unknown[];
  readonly limits: FieldLimits;
}

/** What is checked while the user types; the runtime checks all of the schema. */
interface FieldLimits {
  readonly isInteger: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** An object inside the settings. */
interface FormGroup {
  readonly kind: 'group';
  readonly label: string;
  readonly help?: string;
  readonly isAdvanced: boolean;
  readonly nodes: readonly FormNode[];
}

export type FormNode = FormField | FormGroup;

const maxDepth = 4;
const maxFields = 200;

/** The form for a plugin's `configSchema` and `uiHints` (keyed by dotted path). Never throws. Pure. */
export function planForm(
  schema: Readonly<Record<string, unknown>>,
  hints: Readonly<Record<string, unknown>>,
): readonly FormNode[] {
  const budget = { left: maxFields };
  return planNodes(schema, hints, [], budget);
}

/** All fields of a form, in the order they show. */
export function fieldsOf(nodes: readonly FormNode[]): readonly FormField[] {
  return nodes.flatMap((node) => (node.kind === 'field' ? [node] : fieldsOf(node.nodes)));
}

function planNodes(
  schema: Readonly<Record<string, unknown>>,
  hints: Readonly<Record<string, unknown>>,
  parent: readonly string[],
  budget: { left: number },
): readonly FormNode[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties).flatMap(([name, each]): FormNode[] => {
    if (isUnsafeName(name) || budget.left <= 0) return [];
    const path = [...parent, name];
    const property = isRecord(each) ? each : {};
    const hint = readHint(hints, path);
    if (isPlainObject(property) && path.length < maxDepth) {
      const nodes = planNodes(property, hints, path, budget);
      const { label, help } = texts(name, property, hint);
      const isAdvanced = hint['advanced'] === true;
      return nodes.length === 0 ? [] : [{ kind: 'group', label, ...help, isAdvanced, nodes }];
    }
    budget.left -= 1;
    const id = `setting-${String(maxFields - budget.left)}`;
    return [planField(id, path, property, hint, required.has(name))];
  });
}

function planField(
  id: string,
  path: readonly string[],
  property: Readonly<Record<string, unknown>>,
  hint: Readonly<Record<string, unknown>>,
  isRequired: boolean,
): FormField {
  const name = path.at(-1) ?? '';
  const choices = Array.isArray(property['enum']) ? property['enum'].slice(0, 200) : [];
  const placeholder = hint['placeholder'];
  const { label, help } = texts(name, property, hint);
  return {
    kind: 'field',
    id,
    path,
    control: controlOf(property, hint, choices),
    label,
    ...help,
    ...(typeof placeholder === 'string' ? { placeholder: inertLine(placeholder, 120) } : {}),
    isAdvanced: hint['advanced'] === true,
    isRequired,
    ...(property['default'] === undefined ? {} : { default: property['default'] }),
    choices,
    limits: readLimits(property),
  };
}

function controlOf(
  property: Readonly<Record<string, unknown>>,
  hint: Readonly<Record<string, unknown>>,
  choices: readonly unknown[],
): FieldControl {
  const { type } = property;
  if (hint['sensitive'] === true && (type === 'string' || type === undefined)) return 'secret';
  if (choices.length > 0) return choices.every(isScalar) ? 'choice' : 'json';
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'checkbox';
    case 'array':
      return isRecord(property['items']) && isPlainText(property['items']) ? 'lines' : 'json';
    default:
      return 'json';
  }
}

function isPlainText(items: Readonly<Record<string, unknown>>): boolean {
  return items['type'] === 'string' && items['enum'] === undefined;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** An object with named settings; one with free keys as well is edited as JSON, or its other keys could not be seen. */
function isPlainObject(property: Readonly<Record<string, unknown>>): boolean {
  const extra = property['additionalProperties'];
  return (
    property['type'] === 'object' &&
    isRecord(property['properties']) &&
    (extra === undefined || extra === false)
  );
}

function readHint(
  hints: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Readonly<Record<string, unknown>> {
  const key = path.join('.');
  const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
  return isRecord(hint) ? hint : {};
}

function texts(
  name: string,
  property: Readonly<Record<string, unknown>>,
  hint: Readonly<Record<string, unknown>>,
): { readonly label: string; readonly help: { readonly help?: string } } {
  const label = [hint['label'], property['title']].find((each) => typeof each === 'string');
  const help = [hint['help'], property['description']].find((each) => typeof each === 'string');
  return {
    label: inertLine(label ?? '', 80) || inertLine(name, 80),
    help: help === undefined ? {} : { help: truncate(inertLine(help, 600), 600) },
  };
}

function readLimits(property: Readonly<Record<string, unknown>>): FieldLimits {
  const number = (key: string): number | undefined => {
    const value = property[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  const limits = {
    min: number('minimum'),
    max: number('maximum'),
    minLength: number('minLength'),
    maxLength: number('maxLength'),
  };
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  return { isInteger: property['type'] === 'integer', ...given };
}

function isUnsafeName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}
