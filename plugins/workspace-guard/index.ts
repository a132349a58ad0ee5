import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';
import { createPlanJudge } from './judgePlan.ts';
import { createWriteJudge, pathsOf } from './judgeWrite.ts';

interface GuardConfig {
  readonly block: readonly string[];
  readonly ask: readonly string[];
  readonly plan: readonly string[];
  readonly writeTools: readonly string[];
}

/** Runs after all others: they may still change the call, and the last word must be about what will really run. */
const priority = -Number.MAX_VALUE;

export default {
  id: 'workspace-guard',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the shape and fills in the defaults.
    const config = api.pluginConfig as unknown as GuardConfig;
    const judgeWrite = createWriteJudge(config);
    const findOutside = createPlanJudge(config.plan);
    // A tool call is told no folder; the model call before it is.
    let workspaceDir: string | undefined;
    if (config.plan.length > 0) {
      api.on('model_call_started', (_, context) => {
        ({ workspaceDir } = context);
      });
    }

    api.on(
      'before_tool_call',
      (event) => {
        if (!config.writeTools.includes(event.toolName)) return undefined;
        const paths = pathsOf(event);
        const verdict = judgeWrite(paths);
        if (verdict.kind === 'block')
          return { block: true, blockReason: `${verdict.path} is off limits: ${verdict.why}` };
        if (verdict.kind === 'ask') {
          return {
            requireApproval: {
              title: `Change ${verdict.path}?`,
              description: verdict.why,
              severity: 'critical',
            },
          };
        }
        const outside = findOutside(paths, workspaceDir);
        if (outside === undefined) return undefined;
        return {
          requireApproval: {
            title: `Change ${outside.split(/[\\/]/u).slice(-3).join('/')}?`,
            description:
              'It is not in the plan: the settings of workspace-guard list the files this task may change.',
            severity: 'warning',
          },
        };
      },
      { priority },
    );
  },
};
