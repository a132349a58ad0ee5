import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSymbolModule, type ModuleExports } from '../../plugins/load/createSymbolModule.ts';
import type { HostModules } from '../../plugins/load/hostModules.ts';
import { noEditorApi } from '../../plugins/load/moduleErrors.ts';
import { createContentPolicy } from '../builtins/createContentPolicy.ts';
import { createResponseSanitizer } from '../builtins/createResponseSanitizer.ts';
import {
  DextoPluginError,
  DextoRuntimeError,
  DextoValidationError,
  dextoErrorCodes,
  type DextoErrorCode,
} from '../dextoErrors.ts';
import type {
  BeforeLLMRequestPayload,
  BeforeResponsePayload,
  DextoPlugin,
  ExecutionContext,
  PluginResult,
} from '../dextoTypes.ts';

/** Upstream's packages, with any subpath; `@core/…` is what its own plugins once imported types from. */
const upstream = /^(?:@dexto\/(?<name>[\w-]+)|@core)(?:\/(?<subpath>.*))?$/u;

interface DextoModuleParts {
  /** As people know the plugin. */
  readonly name: string;
  /** A folder of the plugin's own; made when it is asked for. */
  readonly stateDir: string;
}

/**
 * Modules that exist only for Dexto plugins: `@dexto/core` and its neighbours, whole or not, also where a plugin brings them, so
 * that errors are of one class. A missing symbol can be imported; using it throws an error that names it and the plugin.
 */
export function createDextoModules({ name: pluginId, stateDir }: DextoModuleParts): HostModules {
  const made = new Map<string, { readonly exports: unknown }>();
  return (name) => {
    if (name === 'vscode') throw noEditorApi(pluginId);
    const hit = upstream.exec(name);
    if (hit === null) return undefined;
    const own = ownOf(hit.groups?.['name'] ?? 'core', hit.groups?.['subpath'] ?? '', stateDir);
    const known = made.get(name) ?? { exports: createSymbolModule({ name, pluginId, own }) };
    made.set(name, known);
    return known;
  };
}

function ownOf(upstreamPackage: string, subpath: string, stateDir: string): ModuleExports {
  if (upstreamPackage === 'core') return coreExportsAt(subpath);
  // An image to build on: one that brings nothing.
  if (upstreamPackage.startsWith('image-')) return { default: { hooks: {}, plugins: {}, tools: {} } };
  if (upstreamPackage !== 'agent-management') return {};
  // Upstream's is a folder in the user's home; here each plugin has its own.
  const getDextoGlobalPath = (kind = '', file?: string): string => {
    const folder = join(stateDir, ...partsOf(kind));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return file === undefined ? folder : join(folder, ...partsOf(file));
  };
  return { getDextoGlobalPath };
}

/** The names in a path; none that leads out of a folder. */
function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]/u).filter((part) => !['', '.', '..'].includes(part));
}

/** What a subpath of `@dexto/core` gives: a built-in plugin as its default, where upstream documents one, beside all else. */
function coreExportsAt(subpath: string): ModuleExports {
  const name = subpath.replace(/\.[cm]?js$/u, '');
  const classes = { ContentPolicyPlugin, ResponseSanitizerPlugin };
  if (/(?:^|\/)content-policy$/u.test(name))
    return { ...dextoCoreExports, ...classes, default: ContentPolicyPlugin };
  if (/(?:^|\/)response-sanitizer$/u.test(name))
    return { ...dextoCoreExports, ...classes, default: ResponseSanitizerPlugin };
  return /(?:^|\/)builtins(?:\/index)?$/u.test(name) ? { ...dextoCoreExports, ...classes } : dextoCoreExports;
}

/** `contentPolicy` as a class, for plugins that build on it (Dexto plugin specification, Content Policy Plugin). */
class ContentPolicyPlugin implements DextoPlugin {
  readonly #plugin = createContentPolicy();

  async initialize(config: Record<string, never>): Promise<void> {
    await this.#plugin.initialize?.(config);
  }

  async beforeLLMRequest(payload: BeforeLLMRequestPayload, context: ExecutionContext): Promise<PluginResult> {
    return (await this.#plugin.beforeLLMRequest?.(payload, context)) ?? { ok: true };
  }
}

/** `responseSanitizer` as a class (Dexto plugin specification, Response Sanitizer Plugin). */
class ResponseSanitizerPlugin implements DextoPlugin {
  readonly #plugin = createResponseSanitizer();

  async initialize(config: Record<string, never>): Promise<void> {
    await this.#plugin.initialize?.(config);
  }

  async beforeResponse(payload: BeforeResponsePayload, context: ExecutionContext): Promise<PluginResult> {
    return (await this.#plugin.beforeResponse?.(payload, context)) ?? { ok: true };
  }
}

/** Kinds of errors by which upstream's later versions answer over HTTP. */
const errorKinds = [
  'USER',
  'FORBIDDEN',
  'NOT_FOUND',
  'TIMEOUT',
  'CONFLICT',
  'RATE_LIMIT',
  'SYSTEM',
  'THIRD_PARTY',
];

/** `DextoRuntimeError` as plugins construct it: as in the spec, or as in later versions (code, scope, kind, message, context). */
class RuntimeError extends DextoRuntimeError {
  constructor(...args: readonly [string, ...unknown[]]) {
    super(...toSpecForm(args));
  }
}

/**
 * What `@dexto/core` gives plugins at run time: errors and their codes (Dexto plugin specification, Plugin Validation and Type Exports). The
 * spec's other exports are types. There is no PluginManager: using it throws an error that says so.
 */
export const dextoCoreExports: ModuleExports = {
  DextoRuntimeError: RuntimeError,
  DextoValidationError,
  DextoPluginError,
  ErrorType: Object.fromEntries([
    ...dextoErrorCodes.map((code) => [code, code]),
    ...errorKinds.map((kind) => [kind, kind.toLowerCase()]),
  ]),
  ErrorScope: { PLUGIN: 'plugin', HOOK: 'hook' },
  PluginErrorCode: codesByShortName(),
  HookErrorCode: codesByShortName(),
};

type SpecForm = ConstructorParameters<typeof DextoRuntimeError>;

function toSpecForm([first, second, , message, context]: readonly [string, ...unknown[]]): SpecForm {
  if (typeof second !== 'string')
    return [first, (second ?? { type: 'PLUGIN_EXECUTION_FAILED' }) as SpecForm[1]];
  const about = typeof context === 'object' && context !== null ? { context: { ...context } } : {};
  return [String(message), { type: first as DextoErrorCode, ...about }];
}

/** `LOAD_FAILED: 'PLUGIN_LOAD_FAILED'`, and so on. */
function codesByShortName(): Readonly<Record<string, string>> {
  return Object.fromEntries(dextoErrorCodes.map((code) => [code.slice('PLUGIN_'.length), code]));
}
