import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Session } from '../sessions/session.ts';
import { createToolCatalog, type ToolCatalog } from '../tools/catalog.ts';
import { createParamsValidator } from '../tools/createParamsValidator.ts';
import { createToolPipeline, type ToolPipeline } from '../tools/createToolPipeline.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { ModelRef } from '../contracts/model.ts';
import { planPolicyLayers } from '../tools/policy/planPolicyLayers.ts';
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
    readonly config: PincerConfig;
    /** True where commands run in the container. */
    readonly sandboxed: boolean;
  };
}

/** The tools of one run and the pipeline that carries out its calls. */
export interface RunTools {
  /** `model` is the one that will be asked, where that is known. */
  catalogFor(session: Session, model?: ModelRef): ToolCatalog;
  pipelineFor(catalog: ToolCatalog): ToolPipeline;
}

export function createRunTools(parts: RunToolsParts): RunTools {
  const { input, core, layout, plugins, approvals } = parts;
  const validator = createParamsValidator();
  return {
    catalogFor(session, model) {
      const { folders, isTrusted, config, sandboxed } = parts.state();
      const [workspaceDir] = folders;
      const context = {
        agentId: 'main',
        sessionKey: session.key,
        sessionId: session.id,
        messageChannel: input.surface,
        sandboxed,
        ...(workspaceDir === undefined ? {} : { workspaceDir }),
      };
      return createToolCatalog({
        core,
        isWithoutFolder: workspaceDir === undefined,
        plugins: plugins.tools(context),
        policy: planPolicyLayers(config, { agentId: 'main', sandboxed, ...model }),
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
        clock: input.host.clock,
        log: input.host.log,
        traces: parts.traces,
      }),
  };
}
