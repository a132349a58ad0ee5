import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { AgentHookContext } from '../../hooks/payloads/hookContexts.ts';
import { contextWindowOf } from './contextWindowOf.ts';
import type { Session } from '../../sessions/session.ts';

/** Tells operator hooks of `session:compact:before` and `session:compact:after`. `emit` never rejects. */
export interface CompactionEventPort {
  has(type: 'session', action: string): boolean;
  emit(
    type: 'session',
    action: string,
    facts: { readonly sessionKey: string; readonly context: Record<string, unknown> },
  ): Promise<unknown>;
}

interface CompactionSignalDeps {
  readonly session: Session;
  readonly hooks: HookRunner;
  /** Absent, there are no operator hooks. */
  readonly internal?: CompactionEventPort;
  /** What plugins see as the channel: `vscode` or `cli`. */
  readonly surface?: string;
  readonly promptBudget: (model: ModelInfo) => number;
}

/** Which compaction it is that plugins are told of. */
interface CompactionOccasion {
  /** Missing where the user asked for it between turns. */
  readonly runId: string | undefined;
  readonly model: ModelInfo;
}

export interface CompactionSignals {
  /** Resolves when all who were told are done; rejects never, ends early when the signal aborts. */
  before(
    occasion: CompactionOccasion,
    facts: { readonly compactingCount: number; readonly tokenCount: number },
    signal: AbortSignal,
  ): Promise<void>;
  /** Nobody waits for them. */
  after(
    occasion: CompactionOccasion,
    facts: { readonly compactedCount: number; readonly tokenCount: number },
  ): void;
}

/** Fires `before_compaction` and `after_compaction` with upstream's fields, and the internal events. */
export function createCompactionSignals(deps: CompactionSignalDeps): CompactionSignals {
  const { session, hooks, internal } = deps;
  const tellInternal = (action: string, facts: Record<string, unknown>): Promise<unknown> =>
    internal?.has('session', action) === true
      ? internal.emit('session', action, {
          sessionKey: session.key,
          context: { sessionId: session.id, ...facts },
        })
      : Promise.resolve();
  const facts = (messages: readonly AgentMessage[]) => ({
    messageCount: messages.length,
    sessionFile: session.file,
  });

  return {
    async before(occasion, { compactingCount, tokenCount }, signal) {
      const messages = session.messages();
      const told = { ...facts(messages), compactingCount, tokenCount };
      await Promise.all([
        tellInternal('compact:before', told),
        hooks.has('before_compaction')
          ? hooks.observe('before_compaction', { ...told, messages }, contextOf(deps, occasion), signal)
          : undefined,
      ]);
    },
    after(occasion, { compactedCount, tokenCount }) {
      const told = { ...facts(session.messages()), compactedCount, tokenCount };
      void tellInternal('compact:after', told);
      if (hooks.has('after_compaction'))
        void hooks.observe('after_compaction', told, contextOf(deps, occasion));
    },
  };
}

function contextOf(
  { session, surface, promptBudget }: CompactionSignalDeps,
  { runId, model }: CompactionOccasion,
): AgentHookContext {
  return {
    agentId: session.agentId,
    sessionKey: session.key,
    sessionId: session.id,
    modelProviderId: model.provider,
    modelId: model.model,
    ...contextWindowOf(model, promptBudget(model)),
    ...(runId === undefined ? {} : { runId }),
    ...(surface === undefined ? {} : { messageProvider: surface, channelId: surface }),
  };
}
