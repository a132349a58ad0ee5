import type { ModelCallEvent } from '../agent/turn.ts';
import type { AgentEvent, RunOutcome } from '../contracts/agentEvent.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { TokenUsage } from '../contracts/message.ts';
import type { SessionUse } from '../contracts/usage.ts';
import type { Clock } from '../host/ports.ts';
import type { DiagnosticFacts } from '../plugins/diagnosticListeners.ts';

/** Whose turn it is. */
interface RelayedTurn {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** Where the message came from. */
  readonly channel: string;
  readonly trigger: string;
}

/**
 * What an event of one turn is in diagnostic events (OpenClaw documentation, OpenTelemetry, Spans and events). They say what ran, how long and
 * at what price, and nothing of what was said. Takes all events of the turn, in their order.
 */
export function createDiagnosticRelay(
  { agentId, channel, trigger, ...session }: RelayedTurn,
  clock: Pick<Clock, 'monotonic'>,
): (event: AgentEvent) => readonly DiagnosticFacts[] {
  const begun = clock.monotonic();
  const calls = new Map<string, number>();
  let runId: string | undefined;
  let model: ModelInfo | undefined;
  let use: SessionUse | undefined;
  let lastCall: TokenUsage | undefined;
  let state: 'idle' | 'processing' | 'waiting' = 'idle';
  /** Approvals that wait. */
  let asked = 0;

  const modelFacts = () => (model === undefined ? {} : { provider: model.provider, model: model.model });
  const run = () => ({ ...session, ...(runId === undefined ? {} : { runId }) });
  const become = (next: typeof state, reason: string): DiagnosticFacts => {
    const facts = { type: 'session.state', ...session, prevState: state, state: next, reason };
    state = next;
    return facts;
  };
  const durationMs = (): number => clock.monotonic() - begun;
  const usage = (): readonly DiagnosticFacts[] => {
    if (use?.turn === undefined) return [];
    const { turn, context } = use;
    return [
      {
        type: 'model.usage',
        ...{ ...session, agentId, channel, ...modelFacts(), usage: countsOf(turn) },
        ...(lastCall === undefined ? {} : { lastCallUsage: countsOf(lastCall) }),
        context: { limit: context.window, used: context.tokens },
        ...(turn.isCostPartial ? {} : { costUsd: turn.cost }),
        durationMs: durationMs(),
      },
    ];
  };

  return (event) => {
    switch (event.type) {
      case 'run_started':
        ({ runId, model } = event);
        return [
          become('processing', 'run_started'),
          { type: 'run.started', ...run(), ...modelFacts(), trigger, channel },
        ];
      case 'message':
        lastCall = event.message.usage;
        return [];
      case 'usage':
        ({ use } = event);
        return [];
      case 'model_retry':
        return [{ type: 'run.attempt', ...run(), attempt: event.attempt }];
      case 'model_fallback': {
        const from = model;
        model = event.to;
        return [
          {
            type: 'model.failover',
            ...session,
            ...(from === undefined ? {} : { fromProvider: from.provider, fromModel: from.model }),
            ...{ toProvider: event.to.provider, toModel: event.to.model, reason: event.because.code },
          },
        ];
      }
      case 'approval_requested':
        asked += 1;
        return asked === 1 ? [become('waiting', 'approval')] : [];
      case 'approval_resolved':
        asked -= 1;
        return asked === 0 ? [become('processing', 'approval')] : [];
      case 'tool_started':
        calls.set(event.call.id, clock.monotonic());
        return [{ type: 'tool.execution.started', ...run(), agentId, ...toolOf(event.call) }];
      case 'tool_ended': {
        const start = calls.get(event.call.id);
        if (start === undefined) return [];
        calls.delete(event.call.id);
        const facts = { ...run(), agentId, ...toolOf(event.call), durationMs: clock.monotonic() - start };
        return event.result.isError
          ? [{ type: 'tool.execution.error', ...facts, errorCategory: 'tool_error' }]
          : [{ type: 'tool.execution.completed', ...facts }];
      }
      case 'run_ended': {
        ({ runId } = event);
        const ended = { ...endOf(event.outcome), durationMs: durationMs() };
        return [
          ...usage(),
          { type: 'run.completed', ...run(), ...modelFacts(), trigger, channel, ...ended },
          {
            type: 'message.processed',
            ...session,
            channel,
            ...processedOf(event.outcome),
            durationMs: durationMs(),
          },
          ...(state === 'idle' ? [] : [become('idle', 'run_completed')]),
        ];
      }
      default:
        return [];
    }
  };
}

/**
 * What a request to a model is in diagnostic events. Takes those of one turn. `promptStats` is worked out once for each request, since
 * a conversation may be long.
 */
export function createModelCallRelay(): (event: ModelCallEvent) => DiagnosticFacts {
  let last: { readonly callId: string; readonly promptStats: PromptStats } | undefined;
  return ({ call, prompt, ended }) => {
    if (last?.callId !== call.callId) last = { callId: call.callId, promptStats: measurePrompt(prompt) };
    const facts = { ...call, observationUnit: 'request', promptStats: last.promptStats };
    if (ended === undefined) return { type: 'model.call.started', ...facts };
    const { outcome, usage, ...end } = ended;
    const type = outcome === 'completed' ? 'model.call.completed' : 'model.call.error';
    return { type, ...facts, ...end, ...(usage === undefined ? {} : { usage: countsOf(usage) }) };
  };
}

interface PromptStats {
  readonly inputMessagesCount: number;
  readonly inputMessagesChars: number;
  readonly systemPromptChars: number;
  readonly toolDefinitionsCount: number;
  readonly toolDefinitionsChars: number;
  readonly totalChars: number;
}

/** Upstream measures messages and tools as JSON. */
function measurePrompt({ systemPrompt, messages, tools }: ModelCallEvent['prompt']): PromptStats {
  const inputMessagesChars = JSON.stringify(messages).length;
  const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const toolDefinitionsChars = JSON.stringify(definitions).length;
  return {
    inputMessagesCount: messages.length,
    inputMessagesChars,
    systemPromptChars: systemPrompt.length,
    toolDefinitionsCount: tools.length,
    toolDefinitionsChars,
    totalChars: inputMessagesChars + systemPrompt.length + toolDefinitionsChars,
  };
}

/** Upstream counts what its cache holds beside the input, not in it. */
function countsOf({ input, output, cacheRead = 0, cacheWrite = 0 }: TokenUsage) {
  const counts = { input: input - cacheRead - cacheWrite, output, cacheRead, cacheWrite };
  return { ...counts, promptTokens: input, total: input + output };
}

function toolOf({ id, name }: { readonly id: string; readonly name: string }) {
  return { toolName: name, toolCallId: id, paramsSummary: { kind: 'object' } };
}

function endOf(outcome: RunOutcome): Readonly<Record<string, unknown>> {
  switch (outcome.status) {
    case 'completed':
    case 'yielded':
      return { outcome: 'completed' };
    case 'cancelled':
      return { outcome: 'aborted' };
    case 'blocked':
      return { outcome: 'blocked', blockedBy: outcome.pluginId };
    case 'failed':
      return { outcome: 'error', errorCategory: outcome.code };
  }
}

function processedOf(outcome: RunOutcome): Readonly<Record<string, unknown>> {
  if (outcome.status === 'failed') return { outcome: 'error', error: outcome.code };
  return outcome.status === 'completed'
    ? { outcome: 'completed' }
    : { outcome: 'skipped', reason: outcome.status };
}
