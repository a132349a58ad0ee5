import { raceAbort } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type {
  AssistantMessage,
  StopReason,
  TextPart,
  TokenUsage,
  ToolCallPart,
} from '../contracts/message.ts';
import type { Model, ModelRequest } from '../contracts/model.ts';

/**
 * Reads one answer of a model to its end, passing text on as it arrives.
 *
 * Never rejects: a failure or a cancel gives a message with what had arrived, stop reason `error` or `aborted`, and no tool
 * calls, since a call of a broken answer must not run. Leaves the stream within one event after the signal aborts, even
 * if the model ignores the signal.
 */
export async function readAnswer(
  model: Model,
  request: ModelRequest,
  onText: (text: string) => void,
  now: () => number,
): Promise<{ readonly message: AssistantMessage; readonly error?: PincerError }> {
  const text: string[] = [];
  const calls: ToolCallPart[] = [];
  let stopReason: StopReason | undefined;
  let usage: TokenUsage | undefined;
  const finish = (
    reason: StopReason,
    error?: PincerError,
  ): { message: AssistantMessage; error?: PincerError } => {
    const content: (TextPart | ToolCallPart)[] =
      text.length === 0 ? [] : [{ type: 'text', text: text.join('') }];
    if (error === undefined) content.push(...calls);
    const message: AssistantMessage = {
      role: 'assistant',
      content,
      provider: model.info.provider,
      model: model.info.model,
      stopReason: reason,
      timestamp: now(),
      ...(usage === undefined ? {} : { usage }),
      ...(error === undefined ? {} : { errorMessage: error.message }),
    };
    return error === undefined ? { message } : { message, error };
  };

  const events = model.stream(request)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await raceAbort(events.next(), request.signal);
      if (next.done === true) break;
      const event = next.value;
      if (event.type === 'text') {
        text.push(event.text);
        onText(event.text);
      } else if (event.type === 'toolCall') {
        calls.push({ type: 'toolCall', id: event.id, name: event.name, arguments: event.arguments });
      } else if (event.type === 'done') {
        stopReason = event.stopReason;
        usage = event.usage;
      }
    }
  } catch (error) {
    // Tells the model to stop; it may be waiting itself, so nobody waits for it.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    const cancelled = request.signal.aborted;
    return finish(cancelled ? 'aborted' : 'error', toModelError(model, error));
  }
  if (stopReason === undefined) {
    const cut = new PincerError(
      'model_malformed',
      `${model.info.name} stopped in the middle of its answer.`,
      { hint: 'Send the message again.' },
    );
    return finish('error', cut);
  }
  return finish(stopReason);
}

function toModelError(model: Model, error: unknown): PincerError {
  if (error instanceof PincerError) return error;
  return new PincerError('model_unavailable', `${model.info.name} failed: ${errorMessage(error)}`, {
    cause: error,
  });
}
