import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';
import { judgeWrite, pathsOf } from './judgeWrite.ts';

interface GuardConfig {
  readonly block: readonly string[];
  readonly ask: readonly string[];
  readonly writeTools: readonly string[];
}

/** Runs after all others: they may still change the call, and the last word must be about what will really run. */
const priority = -Number.MAX_VALUE;

export default {
  id: 'workspace-guard',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the shape and fills in the defaults.
    const config = api.pluginConfig as unknown as GuardConfig;
    api.on(
      'before_tool_call',
      (event) => {
        if (!config.writeTools.includes(event.toolName)) return undefined;
        const verdict = judgeWrite(pathsOf(event), config);
        switch (verdict.kind) {
          case 'allow':
            return undefined;
          case 'block':
            return { block: true, blockReason: `${verdict.path} is off limits: ${verdict.why}` };
          case 'ask':
            return {
              requireApproval: {
                title: `Change ${verdict.path}?`,
                description: verdict.why,
                severity: 'critical',
              },
            };
        }
      },
      { priority },
    );
  },
};
