import { PincerError } from '../../base/errors.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Session } from '../../sessions/session.ts';

interface OneCall {
  readonly session: Session;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Gets every event of the turn. */
  readonly emit?: (event: AgentEvent) => void;
}

interface CalledOnce {
  readonly content: ToolResult['content'];
  readonly text: string;
  readonly isError: boolean;
}

/** A turn in which a script asks for the one call: it goes the way of every other. @throws PincerError where the turn failed */
export async function callOnce(
  runtime: Runtime,
  { session, name, args, signal, emit }: OneCall,
): Promise<CalledOnce> {
  const { createReplayModel } = await import('../../runtime/index.ts');
  const script = `${JSON.stringify({ toolCalls: [{ name, arguments: args }] })}\n${JSON.stringify({ text: 'Done.' })}`;
  const model = createReplayModel({ script, name: 'one call', clock: runtime.host.clock });
  let called: CalledOnce | undefined;
  const run = await runtime.turns.start({
    session,
    prompt: `Call ${name}.`,
    attachments: [],
    model,
    signal,
    emit(event) {
      emit?.(event);
      if (event.type !== 'tool_ended') return;
      const { content, isError } = event.result;
      const text = content
        .map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`))
        .join('\n');
      called = { content, text, isError };
    },
  });
  const outcome = await run.outcome;
  if (outcome.status === 'failed') throw new PincerError(outcome.code, outcome.message);
  await run.settled;
  return called ?? { content: [], text: 'It was not called.', isError: true };
}
