import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Session } from '../sessions/session.ts';
import { createToolCatalog, type ToolCatalog } from '../tools/catalog.ts';
import { createParamsValidator } from '../tools/createParamsValidator.ts';
import { createToolPipeline, type ToolPipeline } from '../tools/createToolPipeline.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { PolicyLayer } from '../tools/policy/decideToolPolicy.ts';
import type { RuntimeInput } from './runtime.ts';

export interface RunToolsParts {
  readonly input: RuntimeInput;
  readonly core: readonly AgentTool[];
  readonly layout: () => WorkspaceLayout;
  readonly plugins: PluginManager;
  readonly approvals: ApprovalBroker;
  readonly traces: RunTraces;
  readonly state: () => {
    readonly folders: readonly string[];
    readonly isTrusted: boolean;
    readonly layers: readonly PolicyLayer[];
  };
}

/** The tools of one run and the pipeline that carries out its calls. */
export interface RunTools {
  catalogFor(session: Session): ToolCatalog;
  pipelineFor(catalog: ToolCatalog): ToolPipeline;
}

export function createRunTools(parts: RunToolsParts): RunTools {
  const { input, core, layout, plugins, approvals } = parts;
  const validator = createParamsValidator();
  return {
    catalogFor(session) {
      const { folders, isTrusted, layers } = parts.state();
      const [workspaceDir] = folders;
      const context = {
        agentId: 'main',
        sessionKey: session.key,
        sessionId: session.id,
        messageChannel: input.surface,
        sandboxed: false,
        ...(workspaceDir === undefined ? {} : { workspaceDir }),
      };
      return createToolCatalog({
        core,
        isWithoutFolder: workspaceDir === undefined,
        plugins: plugins.tools(context),
        policy: layers,
        isReadOnly: !isTrusted,
        validator,
      });
    },
    pipelineFor: (catalog) =>
      createToolPipeline({
        catalog,
        validator,
        hooks: plugins.hooks,
        policies: () => plugins.policies(),
        approvals,
        layout,
        approvalMode: () => input.approve,
        clock: input.host.clock,
        log: input.host.log,
        traces: parts.traces,
      }),
  };
}
