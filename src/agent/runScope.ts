import type { ModelInfo } from '../contracts/model.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { AgentHookContext, MessageHookContext } from '../hooks/payloads/hookContexts.ts';
import type { Clock } from '../host/ports.ts';
import type { RunInput } from './runAgent.ts';

/** What every hook of one run needs: who asks, what the handlers are told of it, and the work nobody waits for. */
export interface RunScope {
  readonly runId: string;
  readonly agentId: string;
  readonly input: RunInput;
  readonly hooks: HookRunner;
  readonly clock: Clock;
  /** The model of this run; a plugin may change it before the first call. */
  model: ModelInfo;
  agentContext(): AgentHookContext;
  messageContext(): MessageHookContext;
  /** Lets observers run on while the turn goes ahead. */
  inBackground(work: Promise<void>): void;
  /** Resolves when all of that is done. */
  settled(): Promise<void>;
}

export function createRunScope(
  deps: { readonly hooks: HookRunner; readonly clock: Clock },
  input: RunInput,
  runId: string,
): RunScope {
  const background = new Set<Promise<void>>();
  const agentId = 'main';
  const scope: RunScope = {
    runId,
    agentId,
    input,
    hooks: deps.hooks,
    clock: deps.clock,
    model: input.model.info,
    agentContext: () => ({
      runId,
      agentId,
      sessionKey: input.session.key,
      sessionId: input.session.id,
      modelProviderId: scope.model.provider,
      modelId: scope.model.model,
      messageProvider: input.surface,
      trigger: 'user',
      channelId: input.surface,
      contextTokenBudget: scope.model.contextWindow,
      ...(input.workspaceDir === undefined ? {} : { workspaceDir: input.workspaceDir }),
    }),
    messageContext: () => ({
      channelId: input.surface,
      conversationId: input.session.id,
      sessionKey: input.session.key,
      runId,
      senderId: 'user',
    }),
    inBackground(work) {
      background.add(work);
      void work.finally(() => background.delete(work));
    },
    async settled() {
      await Promise.all(background);
    },
  };
  return scope;
}
