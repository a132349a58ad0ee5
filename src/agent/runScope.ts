import type { ModelInfo } from '../contracts/model.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { AgentHookContext, MessageHookContext } from '../hooks/payloads/hookContexts.ts';
import type { PointContext } from '../hooks/payloads/pointHooks.ts';
import type { Clock } from '../host/ports.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import type { RunDeps, RunInput } from './runInput.ts';
import { createTraceIds, traceOf, type RunTraceIds } from './traceIds.ts';
import type { UserWords } from './userWords.ts';

/** What every hook of one run needs: who asks, what the handlers are told of it, and the work nobody waits for. */
export interface RunScope {
  readonly runId: string;
  readonly agentId: string;
  readonly traceIds: RunTraceIds;
  readonly input: RunInput;
  readonly hooks: HookRunner;
  readonly clock: Clock;
  /** Takes keys out of what is not stored. */
  readonly redact: (text: string) => string;
  /** What began the turn; a plugin may change it before anything else reads it. */
  words: UserWords;
  /** The model of this run; a plugin may change it before the first call, and another one may stand in for it. */
  model: ModelInfo;
  /** None before the model stands. */
  tools: readonly ToolDefinition[];
  agentContext(): AgentHookContext;
  messageContext(): MessageHookContext;
  /** For what passes payloads from handler to handler. */
  pointContext(): PointContext;
  /** Writes what has just ended into the run's trace; `startedAt` by the clock that only grows, default now. */
  trace(step: StepFacts, startedAt?: number): void;
  /** Lets observers run on while the turn goes ahead. */
  inBackground(work: Promise<void>): void;
  /** Tells operator hooks of a message; nobody waits for them. */
  tellInternal(action: string, context: Record<string, unknown>): void;
  /** Resolves when all of that is done. */
  settled(): Promise<void>;
}

export function createRunScope(
  deps: Pick<RunDeps, 'hooks' | 'clock' | 'traces' | 'internal' | 'redact'>,
  input: RunInput,
  runId: string,
): RunScope {
  const background = new Set<Promise<void>>();
  const { agentId } = input.session;
  const traceIds = createTraceIds(input.trace);
  const trace = traceOf(traceIds);
  const scope: RunScope = {
    runId,
    agentId,
    traceIds,
    input,
    hooks: deps.hooks,
    clock: deps.clock,
    redact: deps.redact ?? ((text) => text),
    words: { text: input.prompt, attachments: input.attachments },
    model: input.model.info,
    tools: [],
    agentContext: () => ({
      runId,
      agentId,
      trace,
      sessionKey: input.session.key,
      sessionId: input.session.id,
      modelProviderId: scope.model.provider,
      modelId: scope.model.model,
      messageProvider: input.surface,
      trigger: input.trigger ?? 'user',
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
      trace,
      ...traceIds,
    }),
    pointContext: () => ({
      runId,
      sessionId: input.session.id,
      sessionKey: input.session.key,
      agentId,
      model: scope.model,
      ...(input.tenant === undefined ? {} : { tenant: input.tenant }),
      ...(input.settings === undefined ? {} : { settings: input.settings }),
    }),
    trace(step, startedAt) {
      const now = deps.clock.monotonic();
      const since = startedAt ?? now;
      deps.traces?.step(runId, { ...step, startedAt: since, durationMs: now - since });
    },
    inBackground(work) {
      background.add(work);
      void work.finally(() => background.delete(work));
    },
    tellInternal(action, context) {
      if (deps.internal?.has('message', action) !== true) return;
      const where = { channelId: input.surface, conversationId: input.session.id };
      const facts = { sessionKey: input.session.key, context: { ...context, ...where } };
      scope.inBackground(deps.internal.emit('message', action, facts).then(() => undefined));
    },
    async settled() {
      await Promise.all(background);
    },
  };
  return scope;
}
