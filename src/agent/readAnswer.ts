import { raceAbort } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { AssistantMessage, StopReason, TokenUsage } from '../contracts/message.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from '../contracts/model.ts';
import { createAnswerContent } from './createAnswerContent.ts';

/** Hears of an answer as it arrives. */
export interface AnswerListener {
  text(text: string): void;
  thinking(text: string): void;
  /** Before anything of the answer: it is asked for again, or of another model. */
  delayed(event: Extract<ModelEvent, { type: 'retry' | 'fallback' }>): void;
}

export interface Answer {
  readonly message: AssistantMessage;
  /** The model that wrote it: not the one that was asked where another stood in. */
  readonly model: ModelInfo;
  readonly error?: PincerError;
}

/**
 * Reads one answer of a model to its end, passing on what arrives.
 *
 * Never rejects: a failure or a cancel gives a message with the text that had arrived, stop reason `error` or `aborted`, and no
 * tool calls, since a call of a broken answer must not run. Leaves the stream within one event after the signal aborts, even
 * if the model ignores the signal. The model is asked at once and heard once `ready` resolves; where that rejects, so the answer failed.
 */
export async function readAnswer(
  asked: Model,
  request: ModelRequest,
  listener: AnswerListener,
  now: () => number,
  ready: Promise<void> = Promise.resolve(),
): Promise<Answer> {
  const content = createAnswerContent();
  let model = asked.info;
  let stopReason: StopReason | undefined;
  let usage: TokenUsage | undefined;
  const finish = (reason: StopReason, error?: PincerError): Answer => {
    const message: AssistantMessage = {
      role: 'assistant',
      content: error === undefined ? content.parts() : content.text(),
      provider: model.provider,
      model: model.model,
      stopReason: reason,
      timestamp: now(),
      ...(usage === undefined ? {} : { usage }),
      ...(error === undefined ? {} : { errorMessage: error.message }),
    };
    return error === undefined ? { message, model } : { message, model, error };
  };
  const take = (event: ModelEvent): void => {
    switch (event.type) {
      case 'fallback':
        model = event.to;
        listener.delayed(event);
        break;
      case 'retry':
        listener.delayed(event);
        break;
      case 'done':
        stopReason = event.stopReason;
        usage = event.usage;
        break;
      default:
        content.add(event);
        if (event.type === 'text') listener.text(event.text);
        if (event.type === 'thinking') listener.thinking(event.text);
    }
  };

  const events = asked.stream(request)[Symbol.asyncIterator]();
  try {
    let [next] = await raceAbort(Promise.all([events.next(), ready]), request.signal);
    while (next.done !== true) {
      take(next.value);
      next = await raceAbort(events.next(), request.signal);
    }
  } catch (error) {
    // Tells the model to stop; it may be waiting itself, so nobody waits for it.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    const cancelled = request.signal.aborted;
    return finish(cancelled ? 'aborted' : 'error', toModelError(model, error));
  }
  if (stopReason !== undefined) return finish(stopReason);
  const cut = new PincerError('model_malformed', `${model.name} stopped in the middle of its answer.`, {
    hint: 'Send the message again.',
  });
  return finish('error', cut);
}

function toModelError(model: ModelInfo, error: unknown): PincerError {
  if (error instanceof PincerError) return error;
  return new PincerError('model_unavailable', `${model.name} failed: ${errorMessage(error)}`, {
    cause: error,
  });
}
