import { randomUUID } from 'node:crypto';
import { errorMessage, PincerError } from '../base/errors.ts';
import { setBounded } from '../base/setBounded.ts';
import { channelElsewhere, channelUnknown } from '../channels/channelErrors.ts';
import type { Channels, ChannelView } from '../channels/channels.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { StopReason, TokenUsage } from '../contracts/message.ts';
import type { Model, ModelRef } from '../contracts/model.ts';
import type {
  AgentRequest,
  GatewayPorts,
  GeneratedEvent,
  ModelQuestion,
  ToolInvocation,
} from '../gateway/gatewayPorts.ts';
import { modelUnknown } from '../gateway/gatewayErrors.ts';
import type { ServedTool } from '../mcp/server/index.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { Session } from '../sessions/session.ts';
import { createTenantSessions } from '../sessions/createTenantSessions.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import { agentStopped } from './agentStopped.ts';
import { callOneTool, type OneToolParts } from './callOneTool.ts';
import type { AgentCore } from './createAgentCore.ts';
import { createClientPorts, type ClientPortsParts } from './createClientPorts.ts';
import type { createTurnSide } from './createTurnSide.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface GatewayPortsParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly core: AgentCore;
  readonly plugins: ClientPortsParts['plugins'] & OneToolParts['plugins'];
  readonly models: ModelRegistry;
  readonly traces: RunTraces;
  readonly turns: ReturnType<typeof createTurnSide>;
  readonly onTurnEvent: ClientPortsParts['onTurnEvent'];
  readonly served: () => readonly ServedTool[];
  readonly channels: Pick<Channels, 'list' | 'restart'>;
}

/** Conversations that callers name are kept as long as the program runs. */
const maxConversations = 500;

/** What callers of the gateway get done: by the same turns, tools and models as everybody. */
export function createGatewayPorts(parts: GatewayPortsParts): GatewayPorts {
  const { input, state, core, models, traces, turns } = parts;
  const sessions = createTenantSessions(core.sessions, turns.tenantNow);
  /** By what their callers name them. */
  const conversations = new Map<string, Session>();

  const conversationOf = (agentId: string, name: string | undefined): Session => {
    const known = name === undefined ? undefined : conversations.get(`${agentId} ${name}`);
    const session = known ?? turns.createSession(agentId);
    noteConversation(session, name);
    return session;
  };
  const noteConversation = (session: Session, name: string | undefined): void => {
    if (name === undefined) return;
    const key = `${session.agentId} ${name}`;
    setBounded(conversations, key, session, maxConversations);
  };

  const sessionOf = async ({ sessionKey, agentId }: ToolInvocation): Promise<Session> => {
    if (sessionKey === undefined) return conversationOf(core.agents.idFor(agentId), '/tools/invoke');
    const id = await sessions.ofKey(sessionKey);
    const session = id === undefined ? undefined : await sessions.open(id);
    if (session === undefined)
      throw new PincerError('session_unknown', `There is no session with the key ${sessionKey}.`);
    if (agentId !== undefined && agentId !== session.agentId)
      throw new PincerError('session_agent_differs', `The session is one of the agent ${session.agentId}.`);
    return session;
  };

  return {
    ...createClientPorts({ ...parts, sessions, conversationOf, log: input.host.log }),
    served: () => (state.config().mcp.servesHttp ? parts.served() : undefined),
    async restartChannel(channel, accountId) {
      const view = (): ChannelView | undefined => parts.channels.list().find(({ id }) => id === channel);
      const ids = accountId === undefined ? (view()?.accounts ?? []).map(({ id }) => id) : [accountId];
      for (const id of ids) await parts.channels.restart(channel, id);
      const now = view();
      if (now === undefined || ids.length === 0) throw channelUnknown(channel);
      if (now.state === 'elsewhere') throw channelElsewhere(channel);
      return now;
    },
    agents: () => turns.conversations.agents().map(({ id }) => id),
    models: () => models.list().map(({ info: { provider, model } }) => `${provider}/${model}`),
    async callTool(invocation) {
      const problem = state.problem();
      if (problem !== undefined) throw agentStopped(problem);
      return await callOneTool(parts, await sessionOf(invocation), invocation, { askedBy: 'gateway' });
    },
    async *runAgent(request) {
      const session = conversationOf(core.agents.idFor(request.agentId), request.conversation);
      yield* runTurn(session, request);
    },
    async *askModel(question) {
      const model = models.find(question.model);
      if (model === undefined) throw modelUnknown(question.model);
      yield* askModel(model, question);
    },
  };

  /** Nothing of an agent takes part. What became of it is kept as a run of its own. */
  async function* askModel(
    model: Model,
    { system, messages, tools, settings, signal }: ModelQuestion,
  ): AsyncGenerator<GeneratedEvent> {
    const { id: sessionId, key: sessionKey } = conversationOf(core.agents.idFor(undefined), '/v1');
    const { clock } = input.host;
    const runId = randomUUID();
    const trace = (step: StepFacts, durationMs = 0): void =>
      traces.step(runId, { ...step, startedAt: clock.monotonic() - durationMs, durationMs });
    traces.begin({ runId, sessionKey, sessionId });
    trace({ kind: 'message', outcome: 'asked' });
    const startedAt = clock.monotonic();
    let answering: ModelRef = model.info;
    let toolCalls = 0;
    let usage: TokenUsage | undefined;
    // Where nobody reads on, it is cut off.
    let outcome: 'answered' | 'failed' | 'cancelled' = 'cancelled';
    let error: string | undefined;
    try {
      const stream = model.stream({ systemPrompt: system, messages, tools, settings, signal });
      for await (const event of stream) {
        switch (event.type) {
          case 'text':
            yield event;
            break;
          case 'toolCall': {
            const { id, name, arguments: args } = event;
            toolCalls += 1;
            yield { type: 'toolCall', id, name, arguments: args };
            break;
          }
          case 'retry':
            trace({
              kind: 'retry',
              attempt: event.attempt,
              waitMs: event.waitMs,
              error: event.because.message,
            });
            break;
          case 'fallback': {
            const { to, because } = event;
            answering = to;
            trace({ kind: 'fallback', provider: to.provider, model: to.model, error: because.message });
            break;
          }
          case 'done':
            ({ usage } = event);
            outcome = 'answered';
            yield {
              type: 'done',
              stopReason: event.stopReason,
              ...(usage === undefined ? {} : { usage }),
            };
            break;
          default:
            break;
        }
      }
    } catch (failure) {
      if (!signal.aborted) {
        outcome = 'failed';
        error = errorMessage(failure);
      }
      throw failure;
    } finally {
      const { provider, model: name } = answering;
      trace(
        {
          ...{ kind: 'model' as const, provider, model: name, outcome, toolCalls },
          ...(usage === undefined ? {} : { usage }),
          ...(error === undefined ? {} : { error }),
        },
        clock.monotonic() - startedAt,
      );
      traces.end(runId, {
        status: outcome === 'answered' ? 'completed' : outcome,
        ...(error === undefined ? {} : { error }),
      });
      traces.settle(runId);
    }
  }

  async function* runTurn(
    session: Session,
    { prompt, images, instructions, earlier, conversation, isStreamed, settings, signal }: AgentRequest,
  ): AsyncGenerator<GeneratedEvent> {
    const waiting: GeneratedEvent[] = [];
    let wake = (): void => undefined;
    /** Of the answer that comes now, of the one before, of any. */
    let [isTold, wasTold, hasTold] = [false, false, false];
    let usage: TokenUsage | undefined;
    let stopReason = 'stop' as StopReason;
    const tell = (text: string): void => {
      // Words before a tool call and what follows it are two messages.
      waiting.push({ type: 'text', text: hasTold && !isTold ? `\n\n${text}` : text });
      isTold = hasTold = true;
      wake();
    };
    // A conversation that goes on knows what was said.
    const context = [instructions, session.messages().length > 0 ? '' : earlier]
      .filter((text) => text !== '')
      .join('\n\n');
    const run = await turns.startRun({
      session,
      prompt,
      attachments: [
        ...(context === '' ? [] : [{ type: 'text' as const, text: context, isContext: true }]),
        ...images,
      ],
      model: turns.modelFor(session),
      settings,
      signal,
      emit(event) {
        if (event.type === 'text' && isStreamed) tell(event.text);
        if (event.type === 'usage') usage = event.use.turn;
        if (event.type !== 'message') return;
        ({ stopReason } = event.message);
        [isTold, wasTold] = [false, isTold];
      },
    });
    // After a pause it is another one.
    noteConversation(run.session, conversation);
    let outcome: RunOutcome | undefined;
    void run.outcome.then((ended) => {
      outcome = ended;
      wake();
    });
    for (;;) {
      yield* waiting.splice(0);
      if (outcome !== undefined) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || outcome !== undefined) resolve();
      });
    }
    const text = textOf(outcome);
    // What hooks held back until the end was not told.
    if (!isTold && !wasTold && text !== '') tell(text);
    yield* waiting.splice(0);
    yield {
      type: 'done',
      stopReason: stopReason === 'length' ? 'length' : 'stop',
      ...(usage === undefined ? {} : { usage }),
    };
  }

  /** @throws PincerError why the turn gave no answer */
  function textOf(outcome: RunOutcome): string {
    switch (outcome.status) {
      case 'completed':
        return outcome.text;
      case 'yielded':
        return '';
      case 'cancelled':
        throw new PincerError('cancelled', 'The turn was cancelled.');
      case 'blocked':
        throw new PincerError('message_blocked', outcome.text);
      case 'failed':
        throw new PincerError(
          outcome.code,
          outcome.message,
          outcome.hint === undefined ? {} : { hint: outcome.hint },
        );
    }
  }
}
