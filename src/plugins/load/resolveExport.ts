import { isRecord, isTooDeep } from '../../base/json.ts';

/** What a plugin module offers, whatever way it exports it (OpenClaw plugin architecture, Plugin Module Export Patterns). */
export type ResolvedExport =
  | {
      readonly ok: true;
      readonly register: (api: unknown) => unknown;
      /** The id that the exported object names, if any. */
      readonly id?: string;
      readonly name?: string;
      readonly description?: string;
      readonly version?: string;
      /** Exclusive kinds that it names. */
      readonly kind: readonly string[];
      /** JSON Schema of its settings, a copy. */
      readonly configSchema?: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly message: string };

const maxCandidates = 12;

/** Finds `register` in a module: a function, an object with register or activate, as default, nested or named. Pure. */
export function resolveExport(module: unknown): ResolvedExport {
  for (const candidate of candidatesOf(module)) {
    if (typeof candidate === 'function') {
      return { ok: true, register: candidate as (api: unknown) => unknown, kind: [] };
    }
    const definition = candidate as Readonly<Record<string, unknown>>;
    const register = definition['register'] ?? definition['activate'];
    if (typeof register === 'function') {
      return {
        ok: true,
        register: (api) => Reflect.apply(register, definition, [api]) as unknown,
        ...textOf(definition, 'id'),
        ...textOf(definition, 'name'),
        ...textOf(definition, 'description'),
        ...textOf(definition, 'version'),
        kind: kindOf(definition['kind']),
        ...schemaOf(definition),
      };
    }
  }
  return { ok: false, message: 'plugin export missing register/activate' };
}

/** The innermost defaults come first: transpilers wrap a module once or twice. */
function candidatesOf(module: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const waiting = [module];
  while (waiting.length > 0 && found.length < maxCandidates) {
    const next = waiting.shift();
    if (found.includes(next) || !(typeof next === 'function' || isRecord(next))) continue;
    found.push(next);
    const holder = next as Readonly<Record<string, unknown>>;
    waiting.push(holder['default'], holder['module']);
  }
  const [outermost, ...inner] = found;
  return outermost === undefined ? [] : [...inner, outermost];
}

function kindOf(kind: unknown): readonly string[] {
  const kinds: readonly unknown[] = Array.isArray(kind) ? kind.slice(0, 10) : [kind];
  return kinds.filter((each) => typeof each === 'string' && each !== '') as string[];
}

/** A JSON Schema as it stands, or what carries one: upstream's schemas have it in `jsonSchema`, and may be made by a function. */
function schemaOf(definition: Readonly<Record<string, unknown>>): {
  readonly configSchema?: Readonly<Record<string, unknown>>;
} {
  const given = definition['configSchema'];
  const made: unknown = typeof given === 'function' ? Reflect.apply(given, definition, []) : given;
  if (!isRecord(made)) return {};
  const schema = 'jsonSchema' in made ? made['jsonSchema'] : made;
  const isSchema = isRecord(schema) && ('type' in schema || 'properties' in schema) && !isTooDeep(schema);
  const copy: unknown = isSchema ? JSON.parse(JSON.stringify(schema)) : undefined;
  return isRecord(copy) ? { configSchema: copy } : {};
}

type TextField = 'id' | 'name' | 'description' | 'version';

function textOf(
  definition: Readonly<Record<string, unknown>>,
  field: TextField,
): Readonly<Partial<Record<TextField, string>>> {
  const value = definition[field];
  return typeof value === 'string' && value !== '' ? { [field]: value } : {};
}
