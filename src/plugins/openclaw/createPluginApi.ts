import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { OpenClawPluginApi } from '../../sdk/types.ts';
import { absentMethods, idleCalls } from '../listed/listedMethods.ts';
import { infoDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import { apiMethods, apiNamespaces } from './apiMethods.ts';
import { keepListed } from './keepListed.ts';
import { conversationAccess, mayListen } from './conversationAccess.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { onAgentEvent, onSessionTranscriptUpdate } from './registerAgentEvents.ts';
import { heartbeatPort } from './scheduleSessionTurns.ts';
import { enqueueSystemEvent } from './registerSessionParts.ts';
import { createApiRuntime } from './runtime/createApiRuntime.ts';

type Method = (...args: readonly unknown[]) => unknown;

const methodLike = /^(?:register|enqueue|emit|schedule|unschedule|send|set|get|clear|run)[A-Z]/u;

/**
 * The object that a plugin's `register` gets (OpenClaw plugin API, OpenClawPluginApi Methods). Its methods check their arguments,
 * note what is wrong and never throw for it: one bad registration must not take the good ones with it. They throw only after the
 * plugin was unloaded.
 */
export function createPluginApi(parts: PluginApiParts): OpenClawPluginApi {
  const { candidate, manifest } = parts;
  const version = manifest.version ?? candidate.version;
  const methods = Object.fromEntries(
    Object.entries(apiMethods).map(([name, method]): [string, Method] => [
      name,
      guarded(parts, name, (...args) => method(parts, ...args)),
    ]),
  );
  const plain = {
    id: manifest.id,
    name: manifest.name ?? manifest.id,
    ...(version === undefined ? {} : { version }),
    ...(manifest.description === undefined ? {} : { description: manifest.description }),
    source: candidate.source,
    rootDir: candidate.rootDir,
    config: parts.currentConfig(),
    pluginConfig: parts.pluginConfig,
    logger: parts.logger,
    runtime: createApiRuntime({
      ...parts,
      noteAbsent: (member, lost) => noteAbsent(parts, member, lost),
      noteIdle: (member, lost) => noteIdle(parts, `runtime.${member}`, lost),
      pluginId: manifest.id,
      ...conversationAccess(parts),
      events: {
        onAgentEvent: (listener) => onAgentEvent(parts, mayListen(parts), listener),
        onSessionTranscriptUpdate: (listener) => onSessionTranscriptUpdate(parts, mayListen(parts), listener),
      },
      enqueueSystemEvent: (text, options) => enqueueSystemEvent(parts, text, options),
      heartbeat: heartbeatPort(parts),
    }),
    registrationMode: 'full',
    resolvePath: (input: string) => resolvePath(parts, input),
    ...methods,
    ...namespacesOf(parts, methods),
  };
  return withUnknownMethods(parts, plain) as OpenClawPluginApi;
}

/** First makes sure that the plugin is still loaded, and afterwards lets a late registration take effect. */
function guarded(parts: PluginApiParts, name: string, method: Method): Method {
  const registers = name === 'on' || name.startsWith('register');
  return (...args) => {
    parts.assertLoaded(name);
    const result = method(...args);
    if (registers) parts.registered();
    return result;
  };
}

/** `api.session.state.registerSessionExtension` and its like. */
function namespacesOf(
  parts: PluginApiParts,
  methods: Readonly<Record<string, Method>>,
): Readonly<Record<string, unknown>> {
  const root: Record<string, Record<string, unknown>> = {};
  for (const [path, names] of Object.entries(apiNamespaces)) {
    const [first = '', second] = path.split('.');
    const own = Object.fromEntries(names.map((name) => [name, methods[name]]));
    const space = withUnknownMethods(parts, own) as Record<string, unknown>;
    root[first] = second === undefined ? space : { ...root[first], [second]: space };
  }
  return root;
}

/** Whatever else upstream registers is kept and listed; other calls have no effect and say so. */
function withUnknownMethods(parts: PluginApiParts, known: object): object {
  return new Proxy(known, {
    get(target, key, receiver) {
      if (Reflect.has(target, key) || typeof key !== 'string' || !isCallable(key)) {
        return Reflect.get(target, key, receiver) as unknown;
      }
      return guarded(parts, key, (...args) =>
        key.startsWith('register') ? keepListed(parts, key, args) : noteIdleCall(parts, key),
      );
    },
  });
}

/** Upstream methods that are not here look like this; a plugin that calls one unguarded goes on with a warning. */
function isCallable(key: string): boolean {
  return !absentMethods.has(key) && (Object.hasOwn(idleCalls, key) || methodLike.test(key));
}

function noteAbsent({ registrations, manifest: { id } }: PluginApiParts, member: string, lost: string): void {
  const message = `The plugin looked for api.runtime.${member}, which is absent here: ${lost}`;
  pushOnce(registrations.diagnostics, infoDiagnostic('plugin_member_absent', message, { pluginId: id }));
}

/** A plugin may call in a loop, for as long as it is loaded. */
function pushOnce(diagnostics: Diagnostic[], diagnostic: Diagnostic): void {
  if (!diagnostics.some(({ message }) => message === diagnostic.message)) diagnostics.push(diagnostic);
}

function noteIdleCall(parts: PluginApiParts, method: string): unknown {
  const { lost, answer } = (Object.hasOwn(idleCalls, method) ? idleCalls[method] : undefined) ?? {
    lost: 'it does not exist',
  };
  noteIdle(parts, method, lost);
  return answer?.();
}

function noteIdle({ registrations, manifest: { id } }: PluginApiParts, member: string, lost: string): void {
  const message = `api.${member} has no effect here: ${lost}`;
  pushOnce(registrations.diagnostics, warnDiagnostic('plugin_method_unsupported', message, { pluginId: id }));
}

function resolvePath({ candidate, homeDir }: PluginApiParts, input: string): string {
  if (input === '~' || /^~[\\/]/u.test(input)) return join(homeDir, input.slice(1));
  return resolve(candidate.workspaceDir ?? candidate.rootDir, input);
}
