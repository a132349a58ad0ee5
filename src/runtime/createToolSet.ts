import type { NestedRules } from '../agent/prompt/rules/createNestedRules.ts';
import { toolsWithNestedRules, withNestedRules } from '../agent/prompt/rules/withNestedRules.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { AgentTool, CallIdentity } from '../contracts/tool.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import { readProxySettings } from '../net/proxySettings.ts';
import { createCoreTools } from '../tools/coreTools.ts';
import { createDiagnosticsTool } from '../tools/core/diagnostics.ts';
import { createImageTool, type ImageReader } from '../tools/core/image.ts';
import type { AgentSessions } from '../tools/core/sessions/agentSessions.ts';
import { createSessionTools } from '../tools/core/sessions/sessionTools.ts';
import { createSessionStatusTool, type SessionStatus } from '../tools/core/sessionStatus.ts';
import { createWebFetchTool } from '../tools/core/webFetch.ts';
import { createWebSearchTool } from '../tools/core/webSearch.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { maxResultChars } from '../tools/pipeline/capResult.ts';
import type { WorkspaceFiles } from '../tools/workspaceFiles.ts';
import type { Commands } from './createCommands.ts';
import type { RuntimeInput } from './runtime.ts';

export interface ToolSetParts {
  readonly input: RuntimeInput;
  readonly files: WorkspaceFiles;
  readonly layout: () => WorkspaceLayout;
  readonly config: () => PincerConfig;
  readonly commands: Commands;
  readonly taint: SessionTaint;
  readonly statusOf: (call: CallIdentity) => SessionStatus;
  readonly imageReader: ImageReader;
  readonly agentSessions: AgentSessions;
  readonly skillTool: AgentTool;
  /** Rules of deeper folders, which come with the results of file tools. */
  readonly nestedRules: Pick<NestedRules, 'touch'>;
}

/** Every tool of our own, in the order in which models see them. */
export function createToolSet(parts: ToolSetParts): readonly AgentTool[] {
  const { input, files, layout, config, commands } = parts;
  const { host, problems, ripgrep } = input;
  const deps = {
    ...host,
    files,
    layout,
    maxResultChars,
    ...(problems === undefined ? {} : { problems }),
    ...(ripgrep === undefined ? {} : { ripgrep }),
  };
  const web = {
    ...host,
    maxResultChars,
    taint: parts.taint,
    options: () => config().tools.web,
    secret: async (place: { readonly secret: string } | { readonly env: string }) =>
      'env' in place ? host.env[place.env] : await host.secrets.get(place.secret),
    proxies: readProxySettings(host.env),
  };
  return [
    ...createCoreTools(deps).map((tool) =>
      toolsWithNestedRules.has(tool.name) ? withNestedRules(tool, parts.nestedRules, maxResultChars) : tool,
    ),
    createDiagnosticsTool(deps, problems),
    ...commands.tools,
    createWebFetchTool(web),
    createWebSearchTool(web),
    createImageTool({ ...deps, reader: parts.imageReader }),
    parts.skillTool,
    createSessionStatusTool(deps, parts.statusOf),
    ...createSessionTools({ ...deps, sessions: parts.agentSessions }),
  ];
}
