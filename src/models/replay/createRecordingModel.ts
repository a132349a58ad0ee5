import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Model, ModelEvent } from '../../contracts/model.ts';
import type { ReplayLine } from './replayTurn.ts';

/**
 * Passes a model's events on unchanged and writes each finished turn as one line of a replay script, line feed included.
 * A turn that failed or was cancelled is written with its error. In a script thoughts come first, then text, then tool calls,
 * so an answer that mixes them replays in that order, each thought in one piece.
 *
 * The lines hold what the model wrote, nothing of the request.
 */
export function createRecordingModel(model: Model, writeLine: (line: string) => void | Promise<void>): Model {
  return {
    info: model.info,
    async *stream(request) {
      const events: ModelEvent[] = [];
      let error: ReplayLine['error'] = { code: 'cancelled', message: 'The reader left before the end.' };
      try {
        for await (const event of model.stream(request)) {
          events.push(event);
          if (event.type === 'done') error = undefined;
          yield event;
        }
      } catch (thrown) {
        error = toReplayError(thrown);
        throw thrown;
      } finally {
        await writeLine(`${JSON.stringify(toReplayLine(events, error))}\n`);
      }
    },
  };
}

function toReplayLine(events: readonly ModelEvent[], error: ReplayLine['error']): ReplayLine {
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  const toolCalls = events.flatMap((event) => (event.type === 'toolCall' ? [toReplayCall(event)] : []));
  const thinking = toThoughts(events);
  const done = events.find((event) => event.type === 'done');
  const usual = toolCalls.length > 0 ? 'toolUse' : 'stop';
  return {
    ...(thinking.length === 0 ? {} : { thinking }),
    ...(text.length === 0 ? {} : { text }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(error === undefined ? {} : { error }),
    ...(done?.usage === undefined ? {} : { usage: { ...done.usage } }),
    ...(done === undefined || done.stopReason === usual ? {} : { stopReason: done.stopReason }),
  };
}

function toReplayCall({ type: _type, ...call }: Extract<ModelEvent, { readonly type: 'toolCall' }>) {
  return call;
}

type Thought = Exclude<NonNullable<ReplayLine['thinking']>, string>[number];

/** A thought that was cut off has no end and counts as one, too. */
function toThoughts(events: readonly ModelEvent[]): Thought[] {
  const thoughts: Thought[] = [];
  let text = '';
  for (const event of events) {
    if (event.type === 'thinking') text += event.text;
    if (event.type !== 'thinkingEnd') continue;
    const { signature, redacted } = event;
    thoughts.push({
      text,
      ...(signature !== undefined && { signature }),
      ...(redacted === true && { redacted }),
    });
    text = '';
  }
  return text === '' ? thoughts : [...thoughts, { text }];
}

function toReplayError(thrown: unknown): NonNullable<ReplayLine['error']> {
  const message = errorMessage(thrown);
  if (!(thrown instanceof PincerError)) return { code: 'model_unavailable', message };
  return { code: thrown.code, message, ...(thrown.hint === undefined ? {} : { hint: thrown.hint }) };
}
