import { isRecord } from '../../base/json.ts';

/** What a plugin module offers, whatever way it exports it (OpenClaw plugin architecture, 6). */
export type ResolvedExport =
  | {
      readonly ok: true;
      readonly register: (api: unknown) => unknown;
      /** The id that the exported object names, if any. */
      readonly id?: string;
      readonly name?: string;
      readonly description?: string;
      readonly version?: string;
    }
  | { readonly ok: false; readonly message: string };

const maxCandidates = 12;

/** Finds `register` in a module: a function, an object with register or activate, as default, nested or named. Pure. */
export function resolveExport(module: unknown): ResolvedExport {
  for (const candidate of candidatesOf(module)) {
    if (typeof candidate === 'function') {
      return { ok: true, register: candidate as (api: unknown) => unknown };
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

type TextField = 'id' | 'name' | 'description' | 'version';

function textOf(
  definition: Readonly<Record<string, unknown>>,
  field: TextField,
): Readonly<Partial<Record<TextField, string>>> {
  const value = definition[field];
  return typeof value === 'string' && value !== '' ? { [field]: value } : {};
}
