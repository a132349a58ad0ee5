import { randomUUID } from 'node:crypto';
import { throwIfAborted } from '../base/abort.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { ToolInvocation, ToolOutcome } from '../gateway/gatewayPorts.ts';
import type { Session } from '../sessions/session.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { AgentCore } from './createAgentCore.ts';
import type { createTurnSide } from './createTurnSide.ts';
import type { AllPlugins } from './joinDialects.ts';
import { isReadText } from './readText.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

export interface OneToolParts {
  readonly input: RuntimeInput;
  readonly state: Pick<RuntimeState, 'signal'>;
  readonly core: AgentCore;
  readonly plugins: Pick<AllPlugins, 'redact' | 'hooks'>;
  readonly traces: RunTraces;
  readonly turns: Pick<ReturnType<typeof createTurnSide>, 'modelFor' | 'tools'>;
}

const guardsOfResults = ['afterToolResult', 'tool_result_middleware', 'tool_result_persist'] as const;

/** One call as a run of its own: its trace and its checkpoint are kept as those of a turn. `also` are tools beside those of the agent. */
export async function callOneTool(
  { input, state, core, plugins, traces, turns }: OneToolParts,
  session: Session,
  { name, args, callId, signal: asked, onProgress }: ToolInvocation,
  {
    askedBy,
    also,
    channelId = input.surface,
  }: {
    readonly askedBy: string;
    readonly also?: readonly AgentTool[];
    /** Where it comes from, as hooks are told; default the surface. */
    readonly channelId?: string;
  },
): Promise<ToolOutcome> {
  const { id: sessionId, key: sessionKey, agentId } = session;
  const runId = randomUUID();
  const signal = AbortSignal.any([asked, state.signal()]);
  throwIfAborted(signal);
  const model = turns.modelFor(session).info;
  const catalog = turns.tools.catalogFor(session, {
    model,
    lineage: core.agents.knownLineage(session),
    also,
  });
  const observers: Promise<void>[] = [];
  let facts: unknown;
  const redact = (text: string): string => redactKeys(plugins.redact(text));
  const emit = (event: AgentEvent): void => {
    // Whoever may withhold the result has not seen what it says on the way.
    if (event.type === 'tool_progress' && !guardsOfResults.some((hook) => plugins.hooks.has(hook)))
      onProgress?.(redact(event.text).split('\n').map(redact).join('\n'));
    if (event.type !== 'tool_ended') return;
    ({ facts } = event);
    // Whoever called has it now, as the model of a turn would.
    if (isReadText(event.result)) core.taint.read(sessionId);
  };
  traces.begin({ runId, sessionKey, sessionId });
  let isDone = false;
  try {
    const message = await turns.tools.pipelineFor(catalog, { askedBy }).call(
      { type: 'toolCall', id: callId, name, arguments: args },
      {
        runId,
        sessionId,
        sessionKey,
        agentId,
        channelId,
        model,
        signal,
        emit,
        inBackground: (work) => void observers.push(work),
      },
    );
    isDone = true;
    const content = message.content.map((part) =>
      part.type === 'text' ? { ...part, text: redact(part.text) } : part,
    );
    const details: unknown =
      message.details === undefined ? undefined : JSON.parse(redact(JSON.stringify(message.details)));
    return { message: { ...message, content, ...(details === undefined ? {} : { details }) }, facts };
  } finally {
    traces.end(runId, { status: isDone ? 'completed' : 'cancelled' });
    core.tools.checkpoints.endTurn(runId);
    void Promise.allSettled(observers).then(() => traces.settle(runId));
  }
}
