import { join, resolve } from 'node:path';
import { findHook } from '../../hooks/findHook.ts';
import type { OpenClawPluginApi } from '../../sdk/types.ts';
import { infoDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import { missingSymbol } from './missingSymbol.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { registerHook } from './registerHooks.ts';
import { registerCommand, registerService, registerTool } from './registerParts.ts';
import { unusedMethods, type UnusedMethod } from './unusedMethods.ts';

type Method = (...args: readonly unknown[]) => unknown;

/** The release of OpenClaw whose plugin API this one follows. */
export const openClawVersion = '2026.5.18';

/** Upstream methods that are not here start like this; a plugin that calls one goes on with a diagnostic. */
const methodLike = /^(?:register|enqueue|emit|schedule|unschedule|send|set|get|clear|run)[A-Z]/u;

/**
 * The object that a plugin's `register` gets (seed 002, 1). Its methods check their arguments, note what is wrong and never
 * throw for it: one bad registration must not take the good ones with it. They throw only after the plugin was unloaded.
 */
export function createPluginApi(parts: PluginApiParts): OpenClawPluginApi {
  const { candidate, manifest } = parts;
  const version = manifest.version ?? candidate.version;
  const plain = {
    id: manifest.id,
    name: manifest.name ?? manifest.id,
    ...(version === undefined ? {} : { version }),
    ...(manifest.description === undefined ? {} : { description: manifest.description }),
    source: candidate.source,
    rootDir: candidate.rootDir,
    config: parts.hostConfig,
    pluginConfig: parts.pluginConfig,
    logger: parts.logger,
    runtime: createRuntime(parts),
    registrationMode: 'full',
    resolvePath: (input: string) => resolvePath(parts, input),
    ...guarded(parts, methodsOf(parts)),
  };
  const api = new Proxy<object>(plain, {
    get: (target, key, receiver) => {
      if (Reflect.has(target, key) || typeof key !== 'string' || !methodLike.test(key)) {
        return Reflect.get(target, key, receiver) as unknown;
      }
      return () => noteUnsupported(parts, key);
    },
  });
  return api as OpenClawPluginApi;
}

function methodsOf(parts: PluginApiParts): Readonly<Record<string, Method>> {
  const unused = Object.entries(unusedMethods).map(([name, method]): [string, Method] => [
    name,
    (...args) => keepUnused(parts, method, args),
  ]);
  return {
    ...Object.fromEntries(unused),
    registerTool: (tool, options) => registerTool(parts, tool, options),
    registerCommand: (command) => registerCommand(parts, command),
    registerService: (service) => registerService(parts, service),
    registerHook: (events, handler, options) => registerLegacyHook(parts, events, handler, options),
    on: (name, handler, options) => registerHook(parts, name, handler, options),
  };
}

/** Every method first makes sure that the plugin is still loaded, and afterwards lets late registrations take effect. */
function guarded(
  parts: PluginApiParts,
  methods: Readonly<Record<string, Method>>,
): Readonly<Record<string, Method>> {
  const wrapped = Object.entries(methods).map(([name, method]): [string, Method] => [
    name,
    (...args) => {
      parts.assertLoaded(name);
      method(...args);
      parts.registered();
    },
  ]);
  return Object.fromEntries(wrapped);
}

/** Older plugins name typed hooks here, which upstream never fires; here they do. */
function registerLegacyHook(
  parts: PluginApiParts,
  events: unknown,
  handler: unknown,
  options: unknown,
): void {
  for (const event of Array.isArray(events) ? (events as unknown[]) : [events]) {
    if (typeof event === 'string' && event.includes(':')) {
      parts.registrations.unused.push({ kind: 'internal hook', name: event, value: handler });
      noteUnused(parts, `internal hook "${event}"`, 'internal events do not fire yet');
    } else if (typeof event === 'string' && !('hook' in findHook(event))) {
      parts.registrations.unused.push({ kind: 'internal hook', name: event, value: handler });
      noteUnused(parts, `internal hook "${event}"`, 'no event has this name');
    } else {
      registerHook(parts, event, handler, options);
    }
  }
}

function keepUnused(parts: PluginApiParts, method: UnusedMethod, args: readonly unknown[]): void {
  const { registrations, manifest, candidate } = parts;
  const subject = { pluginId: manifest.id, source: candidate.source };
  const read = method.read(args);
  const problem =
    method.bundledOnly !== undefined && candidate.origin !== 'bundled'
      ? method.bundledOnly
      : 'problem' in read
        ? read.problem
        : undefined;
  if (problem !== undefined || 'problem' in read) {
    registrations.diagnostics.push(warnDiagnostic('plugin_registration_refused', problem ?? '', subject));
    return;
  }
  registrations.unused.push({ kind: method.kind, name: read.name, value: args[0] });
  noteUnused(parts, `${method.kind} "${read.name}"`, method.notYet);
}

function noteUnused(parts: PluginApiParts, what: string, notYet: string): void {
  parts.registrations.diagnostics.push(
    infoDiagnostic('plugin_registration_unused', `${what} is registered, but ${notYet}`, {
      pluginId: parts.manifest.id,
    }),
  );
}

function noteUnsupported(parts: PluginApiParts, method: string): void {
  parts.assertLoaded(method);
  parts.registrations.diagnostics.push(
    warnDiagnostic('plugin_method_unsupported', `api.${method} does not exist here; the call had no effect`, {
      pluginId: parts.manifest.id,
    }),
  );
  parts.registered();
}

function createRuntime(parts: PluginApiParts): Readonly<Record<string, unknown>> {
  const known: Readonly<Record<string, unknown>> = {
    version: openClawVersion,
    state: { resolveStateDir: () => parts.stateDir },
    config: { loadConfig: () => parts.hostConfig, current: () => parts.hostConfig },
  };
  return new Proxy(known, {
    get: (target, key) =>
      typeof key !== 'string' || key in target || key === 'then'
        ? (Reflect.get(target, key) as unknown)
        : missingSymbol(key, 'api.runtime', parts.manifest.id),
  });
}

function resolvePath({ candidate, homeDir }: PluginApiParts, input: string): string {
  if (input === '~' || /^~[\\/]/u.test(input)) return join(homeDir, input.slice(1));
  return resolve(candidate.workspaceDir ?? candidate.rootDir, input);
}
