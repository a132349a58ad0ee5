import { raceAbort } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import type { TokenUsage } from '../../contracts/message.ts';
import type { Model, ModelRequest } from '../../contracts/model.ts';

export interface AskedText {
  readonly text: string;
  readonly usage: TokenUsage | undefined;
}

/**
 * The text of one answer; thoughts and tool calls are passed over. Leaves the stream as soon as the signal aborts, even where
 * the model does not.
 * @throws PincerError `summary_too_long` past `maxLength` characters, `model_malformed`, `cancelled`, and what the model throws
 */
export async function askForText(model: Model, request: ModelRequest, maxLength: number): Promise<AskedText> {
  const events = model.stream(request)[Symbol.asyncIterator]();
  let text = '';
  try {
    for (;;) {
      const next = await raceAbort(events.next(), request.signal);
      if (next.done === true) break;
      if (next.value.type === 'done') return { text, usage: next.value.usage };
      if (next.value.type === 'text') text += next.value.text;
      if (text.length > maxLength) {
        throw new PincerError('summary_too_long', `${model.info.name} wrote far more than a summary.`, {
          hint: 'Choose another model for summaries: agent.compaction.model.',
        });
      }
    }
  } finally {
    // Tells the model to stop; it may be waiting itself, so nobody waits for it.
    void Promise.resolve(events.return?.()).catch(() => undefined);
  }
  throw new PincerError('model_malformed', `${model.info.name} stopped in the middle of its answer.`, {
    hint: 'Send the message again.',
  });
}
