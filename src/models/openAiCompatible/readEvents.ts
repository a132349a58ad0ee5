import { isRecord, parseJson } from '../../base/json.ts';
import type { ModelEvent } from '../../contracts/model.ts';
import { createAnswerAccumulator, type AnswerAccumulatorOptions } from './createAnswerAccumulator.ts';
import { malformed } from './errors.ts';
import { parseServerSentEvents } from './parseServerSentEvents.ts';

/**
 * The events in the text of a successful answer: server-sent events, or one JSON object from a server that did not stream.
 * Leaves `text` where the answer ends, so that the caller can read on to the end of the connection.
 *
 * @throws PincerError `model_malformed` for anything else.
 */
export async function* readEvents(
  text: AsyncIterator<string>,
  options: AnswerAccumulatorOptions,
): AsyncGenerator<ModelEvent> {
  const head = await readHead(text);
  // Judged by its first character: the content type is wrong or missing as often as not.
  if (/^\s*[{[]/u.test(head)) yield* readWhole(head, text, options);
  else yield* readStream(head, text, options);
}

async function* readStream(
  head: string,
  text: AsyncIterator<string>,
  options: AnswerAccumulatorOptions,
): AsyncGenerator<ModelEvent> {
  const answer = createAnswerAccumulator(options);
  let marked = false;
  let empty = true;
  for await (const data of parseServerSentEvents(resume(head, text))) {
    marked = data.trim() === '[DONE]';
    if (marked) break;
    const chunk = parseJson(data);
    if (chunk === undefined)
      throw malformed(options.server, 'sent a chunk that is no JSON', options.server.quote(data));
    empty = false;
    yield* answer.push(chunk);
  }
  if (empty) throw malformed(options.server, 'sent no chat completion', options.server.quote(head));
  yield* answer.end(marked);
}

async function* readWhole(
  head: string,
  text: AsyncIterator<string>,
  options: AnswerAccumulatorOptions,
): AsyncGenerator<ModelEvent> {
  const parts: string[] = [];
  for await (const chunk of resume(head, text)) parts.push(chunk);
  const body = parts.join('');
  const json = parseJson(body);
  if (json === undefined)
    throw malformed(options.server, 'sent JSON that breaks off', options.server.quote(body));
  const answer = createAnswerAccumulator(options);
  yield* answer.push(json);
  if (!isRecord(json) || !Array.isArray(json['choices'])) {
    throw malformed(options.server, 'sent no chat completion', options.server.quote(body));
  }
  yield* answer.end(true);
}

/** The first chunks, up to one that is not blank. */
async function readHead(text: AsyncIterator<string>): Promise<string> {
  let head = '';
  while (head.trim() === '') {
    const next = await text.next();
    if (next.done === true) break;
    head += next.value;
  }
  return head;
}

/** `head` and then the rest of `text`. Has no `return`, so a loop that ends early leaves `text` open. */
function resume(head: string, text: AsyncIterator<string>): AsyncIterable<string> {
  let first: string | undefined = head;
  const next = async (): Promise<IteratorResult<string>> => {
    if (first === undefined) return await text.next();
    const value = first;
    first = undefined;
    return { done: false, value };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
