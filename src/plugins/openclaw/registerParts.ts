import { isRecord } from '../../base/json.ts';
import { commandName, noteIdleFields } from '../commands/resolvePluginCommands.ts';
import type {
  PluginCommandDefinition,
  PluginService,
  PluginToolContext,
  PluginToolFactory,
} from '../../sdk/types.ts';
import { infoDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { agentDirOf } from './runtime/createApiRuntime.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** `api.registerTool`: a tool, a list of tools, none, or a factory that is asked for each session (OpenClaw plugin API, Tool Registration). */
export function registerTool(parts: PluginApiParts, tool: unknown, options: unknown): void {
  if (tool == null) {
    const message = 'registerTool was given no tool, so none is registered';
    parts.registrations.diagnostics.push(
      infoDiagnostic('plugin_registration_unused', message, { pluginId: parts.manifest.id }),
    );
    return;
  }
  const tools: readonly unknown[] = typeof tool === 'function' ? [] : Array.isArray(tool) ? tool : [tool];
  if (!tools.every(isRecord)) {
    const message = `plugin tool is malformed (${parts.manifest.id}): it is no tool, list or factory`;
    refuseRegistration(parts, message, 'plugin_tool_malformed');
    return;
  }
  const settings = isRecord(options) ? options : {};
  const place = parts.registrations.tools.length + 1;
  const declared: readonly unknown[] = Array.isArray(settings['names']) ? settings['names'] : [];
  const names = [settings['name'], ...declared, ...tools.map((each) => each['name'])];
  parts.registrations.tools.push({
    // Whatever it returns is checked where it is called.
    factory:
      typeof tool === 'function'
        ? (context) =>
            parts.call(`tool factory ${String(place)}`, () =>
              (tool as PluginToolFactory)(
                Object.defineProperties({ ...context }, Object.getOwnPropertyDescriptors(ownContext(parts))),
              ),
            )
        : () => tools as unknown as ReturnType<PluginToolFactory>,
    call: parts.call,
    names: [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))] as string[],
    optional: settings['optional'] === true,
  });
}

/** The config when the tools are made, and as it is whenever a tool asks (OpenClaw documentation, Plugin runtime config and utilities). */
function ownContext({ currentConfig, stateDir }: PluginApiParts): Partial<PluginToolContext> {
  const config = currentConfig();
  return {
    config,
    runtimeConfig: config,
    getRuntimeConfig: currentConfig,
    // Made for who asks: where it can't be, other plugins have their tools all the same.
    get agentDir() {
      return agentDirOf(stateDir);
    },
  };
}

/** `api.registerCommand`. Messages are upstream's. */
export function registerCommand(parts: PluginApiParts, command: unknown): void {
  const definition = isRecord(command) ? command : {};
  const { name: rawName, handler } = definition;
  const name = typeof rawName === 'string' ? rawName.trim().replace(/^\//u, '').toLowerCase() : '';
  const problem =
    rawName === undefined ? 'command registration missing name' : problemWithCommand(parts, name, handler);
  if (problem !== undefined || typeof handler !== 'function') {
    refuseRegistration(parts, problem ?? '', 'plugin_command_refused');
    return;
  }
  parts.registrations.diagnostics.push(...noteIdleFields(parts.manifest.id, name, definition));
  type Reply = ReturnType<PluginCommandDefinition['handler']>;
  parts.registrations.commands.push({
    ...definition,
    name,
    handler: (context) =>
      parts.call(`the command /${name}`, () => Reflect.apply(handler, definition, [context]) as Reply),
  });
}

function problemWithCommand(parts: PluginApiParts, name: string, handler: unknown): string | undefined {
  const failed = 'command registration failed:';
  if (name === '') return `${failed} Command name cannot be empty`;
  if (!commandName.test(name))
    return `${failed} Command name "${name}" may hold only letters, digits, - and _`;
  if (parts.registrations.commands.some((each) => each.name === name)) {
    return `${failed} Command "${name}" already registered by plugin "${parts.manifest.id}"`;
  }
  return typeof handler === 'function' ? undefined : `${failed} Command handler must be a function`;
}

/** `api.registerService`. */
export function registerService(parts: PluginApiParts, service: unknown): void {
  const definition = isRecord(service) ? service : {};
  const problem = problemWithService(parts, definition);
  if (problem === undefined)
    parts.registrations.services.push(markedService(parts, definition as unknown as PluginService));
  else refuseRegistration(parts, problem, 'plugin_service_refused');
}

function markedService({ call }: PluginApiParts, service: PluginService): PluginService {
  const { id } = service;
  return {
    ...service,
    id,
    start: (context) => call(`the start of service ${id}`, () => service.start(context)),
    ...(service.stop === undefined
      ? {}
      : { stop: (context) => call(`the end of service ${id}`, () => service.stop?.(context)) }),
  };
}

function problemWithService(
  parts: PluginApiParts,
  { id, start }: Record<string, unknown>,
): string | undefined {
  if (typeof id !== 'string' || id.trim() === '') return 'service registration missing id';
  if (typeof start !== 'function') return `service "${id}" has no start function`;
  const known = parts.registrations.services.some((each) => each.id === id);
  return known ? `service already registered: ${id} (${parts.manifest.id})` : undefined;
}
