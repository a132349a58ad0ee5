import { isRecord } from '../../base/json.ts';
import { extensionPoints } from '../pointRules.ts';

/** What makes a plugin; not called yet. */
export type PluginExport =
  /** `new`, without arguments as the spec has it. */
  | { readonly kind: 'class'; readonly make: PluginClass }
  /** A function that gives the plugin; it gets the settings. */
  | { readonly kind: 'function'; readonly make: Maker }
  /** An object of later versions of upstream: settings through its schema, then `create`. */
  | { readonly kind: 'factory'; readonly make: PluginFactory };

type PluginClass = new () => unknown;
type Maker = (config: unknown, context: unknown) => unknown;

/** The parts of upstream's `PluginProvider` and `HookFactory` that count here. */
export interface PluginFactory {
  readonly type?: unknown;
  readonly configSchema?: unknown;
  create(config: unknown, context: unknown): unknown;
}

/** The first two checks of the spec: there is an export, and it can make a plugin. */
type FoundExport =
  | { readonly ok: true; readonly found: PluginExport }
  | { readonly ok: false; readonly check: 1 | 2; readonly problem: string; readonly hint: string };

/**
 * Finds what makes the plugin in a module: the default export first (Dexto plugin specification, Plugin Validation), however often transpilers have
 * wrapped it, then the forms without one that upstream has had. `name` is the plugin's in the agent file; it
 * decides where a module offers several. Pure.
 */
export function findPluginExport(module: unknown, name: string): FoundExport {
  const fallback = unwrapDefault(module);
  if (fallback !== undefined) {
    const found = asExport(fallback) ?? fromImage(fallback, name);
    return found === undefined ? noClass(fallback) : { ok: true, found };
  }
  // CommonJS: `exports.create = …`.
  if (isFactory(module)) return { ok: true, found: { kind: 'factory', make: module } };
  const named = namedExports(module);
  const fitting = named.filter((each) => namesOf(each).some((own) => sameName(own, name)));
  const [only, ...others] = fitting.length > 0 ? fitting : named;
  if (only === undefined) return isRecord(module) && hasPointOf(module) ? noClass(module) : noExport();
  return others.length === 0 ? { ok: true, found: only.found } : severalExports(named);
}

const maxWraps = 4;

/** Undefined where there is no default export at all. */
function unwrapDefault(module: unknown): unknown {
  let value = module;
  for (let wraps = 0; wraps < maxWraps; wraps += 1) {
    if (!isRecord(value) || !('default' in value)) break;
    value = value['default'];
  }
  // CommonJS: `module.exports = class …`.
  return value === module && typeof module !== 'function' ? undefined : (value ?? undefined);
}

function asExport(value: unknown): PluginExport | undefined {
  if (isFactory(value)) return { kind: 'factory', make: value };
  if (typeof value !== 'function') return undefined;
  const isClass = isConstructible(value) && hasBody(value);
  return isClass ? { kind: 'class', make: value as PluginClass } : { kind: 'function', make: value as Maker };
}

/** An image of upstream's later versions: factories by type, under `hooks` or `plugins`. */
function fromImage(value: unknown, name: string): PluginExport | undefined {
  if (!isRecord(value)) return undefined;
  const maps = [value['hooks'], value['plugins']].filter(isRecord);
  const factories = maps.flatMap((map) => Object.entries(map)).filter(([, each]) => isFactory(each));
  const own = factories.filter(([type]) => sameName(type, name));
  const [only, ...others] = own.length > 0 ? own : factories;
  return only === undefined || others.length > 0 ? undefined : asExport(only[1]);
}

interface NamedExport {
  readonly exported: string;
  readonly found: PluginExport;
}

/** Factories first: a module that exports one often exports the class behind it, too. */
function namedExports(module: unknown): readonly NamedExport[] {
  if (!isRecord(module)) return [];
  const all = Object.keys(module).flatMap((exported) => {
    const value = module[exported];
    const found = asExport(value);
    return found === undefined ? [] : [{ exported, found, value }];
  });
  const factories = all.filter(({ found }) => found.kind === 'factory');
  if (factories.length > 0) return factories;
  const classes = all.filter(
    ({ exported, found, value }) =>
      found.kind === 'class' && (pluginName.test(exported) || hasPoint(value as PluginClass)),
  );
  return classes.length > 0 ? classes : all.filter(({ exported }) => factoryName.test(exported));
}

const pluginName = /(?:Plugin|Hook)$/u;
const factoryName = /^(?:factory|create\w*)$/u;

function namesOf({ exported, found }: NamedExport): readonly string[] {
  const type = found.kind === 'factory' ? found.make.type : undefined;
  return typeof type === 'string' ? [type, exported] : [exported];
}

/** `request-logger` is `RequestLoggerPlugin`, `requestLogger` and `createRequestLogger`. */
function sameName(own: string, name: string): boolean {
  return plain(own) === plain(name);
}

function plain(name: string): string {
  return name
    .replace(/^create(?=[A-Z])/u, '')
    .replace(/(?:Plugin|Hook)?(?:Provider|Factory)?$/u, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/gu, '');
}

function isFactory(value: unknown): value is PluginFactory {
  return isRecord(value) && typeof value['create'] === 'function';
}

function hasPoint({ prototype }: PluginClass): boolean {
  const methods: unknown = prototype;
  return isRecord(methods) && hasPointOf(methods);
}

function hasPointOf(methods: Readonly<Record<string, unknown>>): boolean {
  return extensionPoints.some((point) => typeof methods[point] === 'function');
}

/** Arrow functions, methods and async functions can't be called with `new`. Does not call it. */
export function isConstructible(value: unknown): boolean {
  try {
    Reflect.construct(Object, [], value as PluginClass);
    return true;
  } catch {
    return false;
  }
}

/**
 * A class, or a function with methods as older compilers write classes. Any other function is taken for one that gives the
 * plugin: that it can be called with `new` says nothing.
 */
function hasBody(value: { readonly prototype?: unknown }): boolean {
  if (/^class\b/u.test(Function.prototype.toString.call(value))) return true;
  return isRecord(value.prototype) && Reflect.ownKeys(value.prototype).length > 1;
}

function noExport(): FoundExport {
  return {
    ok: false,
    check: 1,
    problem: 'it has no default export',
    hint: 'Export the class: export default class MyPlugin { … }',
  };
}

function severalExports(named: readonly NamedExport[]): FoundExport {
  const names = named.map(({ exported }) => exported).join(', ');
  return {
    ok: false,
    check: 1,
    problem: `it has no default export and offers several plugins: ${names}`,
    hint: 'Export one of them as default, or name the plugin in the agent file after one.',
  };
}

function noClass(value: unknown): FoundExport {
  const isPlugin = isRecord(value) && hasPointOf(value);
  return {
    ok: false,
    check: 2,
    problem: `its default export must be a class, and is ${kindOf(value)}`,
    hint: isPlugin
      ? 'Export the class itself, not an instance of it.'
      : 'Export the class: export default class MyPlugin { … }',
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
