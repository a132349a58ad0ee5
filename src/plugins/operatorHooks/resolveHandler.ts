import { isRecord } from '../../base/json.ts';

export type HookHandler = (event: never) => unknown;

type ResolvedHandler =
  | { readonly ok: true; readonly handler: HookHandler }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/** The function that a handler module exports under `name`; transpilers may have wrapped it once or twice. Pure. */
export function resolveHandler(module: unknown, name: string): ResolvedHandler {
  const layers = layersOf(module);
  const found =
    name === 'default' ? layers.find(isHandler) : layers.map((layer) => own(layer, name)).find(isHandler);
  if (found !== undefined) return { ok: true, handler: found };
  const names = [...new Set(layers.flatMap((layer) => functionNames(layer)))].slice(0, 8);
  const message = `its export "${name}" is no function`;
  return names.length === 0
    ? { ok: false, message, hint: 'Write: export default async (event) => { … }' }
    : { ok: false, message, hint: `Set metadata.openclaw.export to one of: ${names.join(', ')}.` };
}

/** The module, its default, and the default of that. */
function layersOf(module: unknown): readonly unknown[] {
  const first = own(module, 'default');
  const second = own(first, 'default');
  return [module, first, second].filter((each) => each !== undefined);
}

function own(holder: unknown, name: string): unknown {
  if (!(typeof holder === 'function' || isRecord(holder)) || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[name];
}

function functionNames(layer: unknown): readonly string[] {
  if (!isRecord(layer)) return [];
  return Object.keys(layer).filter((name) => name !== 'default' && isHandler(layer[name]));
}

function isHandler(value: unknown): value is HookHandler {
  return typeof value === 'function';
}
