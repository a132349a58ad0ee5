import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { isThenable } from '../../base/untrusted.ts';
import type { PluginToolContext } from '../../sdk/types.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import { registersMore } from '../register/consentFilter.ts';
import type { ToolMetadata, ToolRegistration } from '../register/registrations.ts';
import { createToolSchemaReader, type ReadToolSchema } from './createToolSchemaReader.ts';
import { toAgentTool } from './toAgentTool.ts';

interface ToolSource {
  readonly pluginId: string;
  readonly tools: readonly ToolRegistration[];
  readonly metadata: readonly ToolMetadata[];
}

interface ResolvedTools {
  readonly tools: readonly AgentTool[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The tools of all plugins for one session, in plugin order; the first of a name counts (OpenClaw plugin API, Tool Registration).
 * Factories run here. What is malformed, fails or collides is left out and named.
 */
export function resolvePluginTools(
  sources: readonly ToolSource[],
  context: PluginToolContext,
  coreToolNames: readonly string[],
  readSchema: ReadToolSchema = createToolSchemaReader(),
): ResolvedTools {
  const taken = new Set(coreToolNames);
  const tools: AgentTool[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { pluginId, tools: registrations, metadata } of sources) {
    const refuse = (code: string, message: string): void =>
      void diagnostics.push(errorDiagnostic(code, message, { pluginId }));
    if (coreToolNames.includes(pluginId) && registrations.length > 0) {
      refuse('plugin_tool_conflict', `plugin id conflicts with core tool name (${pluginId})`);
      continue;
    }
    for (const registration of registrations) {
      for (const value of makeTools(registration, pluginId, context, refuse)) {
        const checked = toAgentTool(value, { ...registration, pluginId }, readSchema);
        const { isShown = () => true } = registration;
        if (checked.ok && !isShown(checked.tool.name))
          diagnostics.push(registersMore(pluginId, [`tool ${checked.tool.name}`]));
        else if (!checked.ok)
          refuse('plugin_tool_malformed', `plugin tool is malformed (${pluginId}): ${checked.problem}`);
        else if (taken.has(checked.tool.name)) {
          refuse('plugin_tool_conflict', `plugin tool name conflict (${pluginId}): ${checked.tool.name}`);
        } else {
          taken.add(checked.tool.name);
          tools.push(withMetadata(checked.tool, metadata));
        }
      }
    }
  }
  return { tools, diagnostics };
}

function withMetadata(tool: AgentTool, metadata: readonly ToolMetadata[]): AgentTool {
  const found = metadata.find(({ toolName }) => toolName === tool.name);
  if (found === undefined) return tool;
  const { toolName: _name, displayName: label = tool.label, ...display } = found;
  return { ...tool, label, display };
}

function makeTools(
  registration: ToolRegistration,
  pluginId: string,
  context: PluginToolContext,
  refuse: (code: string, message: string) => void,
): readonly unknown[] {
  try {
    const made: unknown = registration.factory({ ...context });
    if (made == null) return [];
    if (isThenable(made)) {
      // Nobody waits for it; a rejection must not reach the process.
      Promise.resolve(made).then(undefined, () => undefined);
      refuse('plugin_tool_failed', `plugin tool failed (${pluginId}): the factory returned a promise`);
      return [];
    }
    return Array.isArray(made) ? made : [made];
  } catch (error) {
    refuse('plugin_tool_failed', `plugin tool failed (${pluginId}): ${errorMessage(error)}`);
    return [];
  }
}
