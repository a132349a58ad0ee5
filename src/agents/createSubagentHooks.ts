import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Log } from '../host/ports.ts';
import { subagentRefused } from './agentErrors.ts';
import type { SubagentResult } from './subagents.ts';
import type { SubagentInfo } from './subagentInfo.ts';

/** Where the subagent hooks fire (OpenClaw hooks). */
export interface SubagentHookSite {
  /** @throws PincerError `subagent_refused`, `cancelled` */
  spawning(info: SubagentInfo, parentKey: string, parentRunId: string, signal: AbortSignal): Promise<void>;
  spawned(info: SubagentInfo, parentKey: string): void;
  /** Resolves when the target of the answer is settled; never rejects. Nobody waits for the observers of the end. */
  ended(info: SubagentInfo, parentKey: string, result: SubagentResult): Promise<void>;
  /** Resolves when the observers are done, too. */
  settled(): Promise<void>;
}

/** Upstream's words. */
const mode = 'run' as const;
const reasons = {
  ok: 'subagent-complete',
  error: 'subagent-error',
  timeout: 'subagent-error',
  killed: 'subagent-killed',
} as const;

export function createSubagentHooks(deps: {
  readonly hooks: () => HookRunner;
  readonly log: Log;
  /** `vscode`, `cli`. */
  readonly surface: string;
}): SubagentHookSite {
  const background = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>): void => {
    background.add(work);
    void work.finally(() => background.delete(work));
  };
  const eventOf = ({ sessionKey, agentId, label }: SubagentInfo) => ({
    childSessionKey: sessionKey,
    agentId,
    label,
    mode,
    requester: { channel: deps.surface },
    threadRequested: false,
  });
  const progress = (info: SubagentInfo, parentKey: string, outcome?: SubagentResult['status']): void => {
    const hooks = deps.hooks();
    if (!hooks.has('subagent_progress')) return;
    const event = {
      ...(outcome === undefined ? { phase: 'started' as const } : { phase: 'ended' as const, outcome }),
      runId: info.runId,
      childSessionKey: info.sessionKey,
      requester: { channel: deps.surface },
    };
    inBackground(hooks.observe('subagent_progress', event, contextOf(info, parentKey)));
  };
  const contextOf = (info: SubagentInfo, parentKey: string, runId = info.runId) => ({
    ...(runId === '' ? {} : { runId }),
    childSessionKey: info.sessionKey,
    requesterSessionKey: parentKey,
  });

  return {
    async spawning(info, parentKey, parentRunId, signal) {
      const hooks = deps.hooks();
      if (!hooks.has('subagent_spawning')) return;
      const context = contextOf(info, parentKey, parentRunId);
      const outcome = await hooks.modify('subagent_spawning', eventOf(info), context, signal);
      if (outcome.status === 'error') throw subagentRefused(outcome.pluginId, outcome.error);
    },
    spawned(info, parentKey) {
      const hooks = deps.hooks();
      progress(info, parentKey);
      if (!hooks.has('subagent_spawned')) return;
      const event = { ...eventOf(info), runId: info.runId };
      inBackground(hooks.observe('subagent_spawned', event, contextOf(info, parentKey)));
    },
    async ended(info, parentKey, result) {
      const hooks = deps.hooks();
      if (hooks.has('subagent_delivery_target')) {
        const { origin } = await hooks.modify(
          'subagent_delivery_target',
          {
            childSessionKey: info.sessionKey,
            requesterSessionKey: parentKey,
            requesterOrigin: { channel: deps.surface },
            childRunId: info.runId,
            spawnMode: mode,
            expectsCompletionMessage: true,
          },
          contextOf(info, parentKey),
        );
        // There is one place so far: the agent that waits for it.
        if (origin !== undefined && origin['channel'] !== deps.surface)
          deps.log.write(
            'warn',
            `A plugin wants the answer of the agent "${info.label}" elsewhere (subagent_delivery_target); it goes to the agent that started it.`,
          );
      }
      progress(info, parentKey, result.status);
      if (!hooks.has('subagent_ended')) return;
      const event = {
        targetSessionKey: info.sessionKey,
        targetKind: 'subagent' as const,
        reason: reasons[result.status],
        runId: info.runId,
        outcome: result.status,
        ...(result.error === undefined ? {} : { error: result.error }),
      };
      inBackground(hooks.observe('subagent_ended', event, contextOf(info, parentKey)));
    },
    async settled() {
      await Promise.all(background);
    },
  };
}
