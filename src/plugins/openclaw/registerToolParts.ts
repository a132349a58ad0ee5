import { isRecord } from '../../base/json.ts';
import { copyData } from '../../base/untrusted.ts';
import type {
  ToolResultMiddlewareContext,
  ToolResultMiddlewareEvent,
} from '../../hooks/payloads/internalHooks.ts';
import { resolveHookTimeout } from '../../hooks/resolveHookTimeout.ts';
import { normalizeResult } from '../../tools/pipeline/toolResult.ts';
import { infoDiagnostic } from '../pluginDiagnostics.ts';
import type { ToolMetadata } from '../register/registrations.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';
import { isNameList } from './registerHooks.ts';

const runtimeNames = ['openclaw', 'codex'] as const;

/**
 * `api.registerAgentToolResultMiddleware`: rewrites the result of a tool before a model reads it (OpenClaw plugin API, Tool-result
 * middleware). Messages are upstream's. Threat: it reads and replaces the results of every tool, so it must be declared, and a plugin
 * that nobody has enabled by name can't have one.
 */
export function registerToolResultMiddleware(
  parts: PluginApiParts,
  middleware: unknown,
  options: unknown,
): void {
  const { registrations, manifest, entry } = parts;
  if (typeof middleware !== 'function') {
    refuseRegistration(parts, 'agent tool result middleware must be a function');
    return;
  }
  const { runtimes = runtimeNames, matcher } = isRecord(options) ? options : {};
  const targets = readRuntimes(runtimes);
  const declared = readRuntimes(manifest.contracts?.['agentToolResultMiddleware']);
  const missing = targets.filter((each) => !declared.includes(each));
  const problem = problemWithMiddleware(parts, { targets, missing, matcher });
  if (problem !== undefined) {
    refuseRegistration(parts, problem);
    return;
  }
  if (!targets.includes('openclaw')) {
    const message = `agent tool result middleware for ${targets.join(', ')} never runs: only OpenClaw's own agent is here`;
    registrations.diagnostics.push(
      infoDiagnostic('plugin_registration_unused', message, { pluginId: manifest.id }),
    );
    return;
  }
  const only = isNameList(matcher) ? [...matcher] : undefined;
  const { timeouts, timeoutMs } = entry.hooks ?? {};
  registrations.middleware.push({
    hook: 'tool_result_middleware',
    pluginId: manifest.id,
    isAdapter: true,
    priority: 0,
    timeoutMs: resolveHookTimeout('after_tool_call', {
      ...(timeouts === undefined ? {} : { perHook: timeouts }),
      ...(timeoutMs === undefined ? {} : { perPlugin: timeoutMs }),
    }),
    ...(only === undefined
      ? {}
      : { only, matches: ({ toolName }: ToolResultMiddlewareEvent) => only.includes(toolName) }),
    // A promise is waited for: what it changed in its own copy of the event counts too, as upstream has it.
    handler: async (event: ToolResultMiddlewareEvent, context: ToolResultMiddlewareContext) => {
      const said = await parts.call('the tool result middleware', () =>
        Promise.resolve(Reflect.apply(middleware, undefined, [event, { ...context }]) as unknown),
      );
      const replaced: unknown = isRecord(said) ? said['result'] : undefined;
      return { result: normalizeResult(copyData(replaced ?? event.result)) };
    },
  });
}

function problemWithMiddleware(
  { candidate, entry }: PluginApiParts,
  given: {
    readonly targets: readonly string[];
    readonly missing: readonly string[];
    readonly matcher: unknown;
  },
): string | undefined {
  const { targets, missing, matcher } = given;
  if (targets.length === 0) return 'agent tool result middleware must target at least one supported runtime';
  if (missing.length > 0)
    return `plugin must declare contracts.agentToolResultMiddleware for: ${missing.join(', ')}`;
  if (matcher !== undefined && !isNameList(matcher))
    return 'agent tool result middleware matcher must be a non-empty list of exact tool names';
  // A workspace plugin, and one that was installed, runs only where the user has allowed it by name.
  const isAllowed = candidate.isInstalled === true || ['bundled', 'workspace'].includes(candidate.origin);
  const isEnabled = entry.enabled === true || isAllowed;
  return isEnabled ? undefined : 'plugin must be explicitly enabled to register agent tool result middleware';
}

function readRuntimes(value: unknown): readonly string[] {
  const named: readonly unknown[] = Array.isArray(value) ? value : [];
  return runtimeNames.filter((name) =>
    named.some((each) => typeof each === 'string' && each.trim().toLowerCase() === name),
  );
}

const risks: readonly unknown[] = ['low', 'medium', 'high'];
const maxMetadataText = 1_000;
const maxTags = 20;

/** `api.registerToolMetadata`: how people read a tool of the plugin; the model is told nothing of it. Messages are upstream's. */
export function registerToolMetadata(parts: PluginApiParts, metadata: unknown): void {
  const { toolMetadata } = parts.registrations;
  const given = isRecord(metadata) ? metadata : {};
  const toolName = textOf(given['toolName'], 64);
  if (toolName === undefined) {
    refuseRegistration(parts, 'tool metadata registration missing toolName');
    return;
  }
  if (toolMetadata.some((each) => each.toolName === toolName)) {
    refuseRegistration(parts, `tool metadata already registered: ${toolName} (${parts.manifest.id})`);
    return;
  }
  const read = readMetadata(toolName, given);
  if (read === undefined)
    refuseRegistration(parts, `tool metadata registration has invalid metadata: ${toolName}`);
  else toolMetadata.push(read);
}

function readMetadata(toolName: string, given: Readonly<Record<string, unknown>>): ToolMetadata | undefined {
  const { risk, tags = [] } = given;
  const displayName = textOf(given['displayName'], 80);
  const description = textOf(given['description'], maxMetadataText);
  const isOdd =
    (given['displayName'] !== undefined && displayName === undefined) ||
    (given['description'] !== undefined && description === undefined) ||
    (risk !== undefined && !risks.includes(risk)) ||
    !isTagList(tags);
  if (isOdd) return undefined;
  return {
    toolName,
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
    ...(risk === undefined ? {} : { risk: risk as NonNullable<ToolMetadata['risk']> }),
    ...(isTagList(tags) && tags.length > 0 ? { tags: tags.slice(0, maxTags) } : {}),
  };
}

function isTagList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((tag) => textOf(tag, 40) !== undefined);
}

function textOf(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || text.length > max ? undefined : text;
}
