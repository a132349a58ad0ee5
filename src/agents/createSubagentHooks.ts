import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Log } from '../host/ports.ts';
import { subagentRefused } from './agentErrors.ts';
import type { SubagentResult } from './subagents.ts';
import type { SubagentInfo } from './subagentInfo.ts';

/** Where the subagent hooks fire (OpenClaw hooks). */
export interface SubagentHookSite {
  /**
   * Gives the session key that a plugin wants the answer under (`deliveryOrigin`).
   * @throws PincerError `subagent_refused`, `cancelled`
   */
  spawning(
    info: SubagentInfo,
    parentKey: string,
    parentRunId: string,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  spawned(info: SubagentInfo, parentKey: string): void;
  /**
   * Gives the session key that a plugin wants the answer under (`subagent_delivery_target`), else the `wanted` one of the start; never
   * rejects. Nobody waits for the observers of the end.
   */
  ended(
    info: SubagentInfo,
    parentKey: string,
    result: SubagentResult,
    wanted: string | undefined,
  ): Promise<string | undefined>;
  /** Resolves when the observers are done, too. */
  settled(): Promise<void>;
}

/** Conversations of message channels, whose sessions are in this workspace, too. */
export interface ConversationOrigins {
  /** Where the conversation of a session is; undefined for one that began here. */
  originOf(sessionKey: string): Promise<ConversationOrigin | undefined>;
  /** The session key of a conversation. */
  keyOf(origin: { readonly channel: string; readonly to: string }): Promise<string | undefined>;
}

/** Upstream's names: `channel`, `accountId`, `to` in the channel's words, `threadId`. */
type ConversationOrigin = Readonly<Record<string, unknown>>;

/** Upstream's words. */
const mode = 'run' as const;
const reasons = {
  ok: 'subagent-complete',
  error: 'subagent-error',
  timeout: 'subagent-error',
  killed: 'subagent-killed',
} as const;

export function createSubagentHooks(deps: {
  readonly hooks: HookRunner;
  readonly log: Log;
  /** `vscode`, `cli`. */
  readonly surface: string;
  readonly conversations: ConversationOrigins;
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
    const { hooks } = deps;
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

  /** Sessions of this workspace are the only places: `to` is the key of one, or with a channel a conversation that there is. */
  const keyOf = async (
    origin: Readonly<Record<string, unknown>> | undefined,
    label: string,
  ): Promise<string | undefined> => {
    if (origin === undefined) return undefined;
    const { channel, to } = origin;
    if (channel === undefined || channel === deps.surface) return typeof to === 'string' ? to : undefined;
    const isNamed = typeof channel === 'string' && typeof to === 'string';
    const found = isNamed ? await deps.conversations.keyOf({ channel, to }) : undefined;
    if (found === undefined)
      deps.log.write(
        'warn',
        `A plugin wants the answer of the agent "${label}" where there is no conversation; it goes to the agent that started it. Name a session key of this workspace in "to", and "${deps.surface}" as channel, or a channel and whom you talk to there.`,
      );
    return found;
  };

  return {
    async spawning(info, parentKey, parentRunId, signal) {
      const { hooks } = deps;
      if (!hooks.has('subagent_spawning')) return undefined;
      const context = contextOf(info, parentKey, parentRunId);
      const outcome = await hooks.modify('subagent_spawning', eventOf(info), context, signal);
      if (outcome.status === 'error') throw subagentRefused(outcome.pluginId, outcome.error);
      return await keyOf(outcome.deliveryOrigin, info.label);
    },
    spawned(info, parentKey) {
      const { hooks } = deps;
      progress(info, parentKey);
      if (!hooks.has('subagent_spawned')) return;
      const event = { ...eventOf(info), runId: info.runId };
      inBackground(hooks.observe('subagent_spawned', event, contextOf(info, parentKey)));
    },
    async ended(info, parentKey, result, wanted) {
      const { hooks } = deps;
      let target = wanted;
      if (hooks.has('subagent_delivery_target')) {
        const event = {
          childSessionKey: info.sessionKey,
          requesterSessionKey: parentKey,
          requesterOrigin: (await deps.conversations.originOf(parentKey)) ?? {
            channel: deps.surface,
            to: parentKey,
          },
          childRunId: info.runId,
          spawnMode: mode,
          expectsCompletionMessage: true,
        };
        const { origin } = await hooks.modify('subagent_delivery_target', event, contextOf(info, parentKey));
        target = (await keyOf(origin, info.label)) ?? wanted;
      }
      progress(info, parentKey, result.status);
      if (!hooks.has('subagent_ended')) return target;
      const event = {
        targetSessionKey: info.sessionKey,
        targetKind: 'subagent' as const,
        reason: reasons[result.status],
        runId: info.runId,
        outcome: result.status,
        ...(result.error === undefined ? {} : { error: result.error }),
      };
      inBackground(hooks.observe('subagent_ended', event, contextOf(info, parentKey)));
      return target;
    },
    async settled() {
      await Promise.all(background);
    },
  };
}
