import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenUsage } from '../../contracts/message.ts';
import type { GatewayPorts, GeneratedEvent } from '../gatewayPorts.ts';
import { failureOf, readBody, sendJson, signalOf } from '../routes/exchange.ts';
import { forbidRetries, openEventStream } from './answerChat.ts';
import { generate } from './generate.ts';

type Send = (data: object, name: string) => void;

/** `POST /v1/responses` (OpenClaw documentation, OpenResponses API). Nothing is stored: `previous_response_id` has no meaning here. */
export async function answerResponses(
  ports: Pick<GatewayPorts, 'runAgent' | 'askModel'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  forbidRetries(response);
  const events = generate(ports, body, body['input'], signalOf(response));
  const made = {
    id: `resp_${randomUUID()}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    model: body['model'],
    error: null,
    incomplete_details: null,
    tools: [],
    parallel_tool_calls: true,
  };
  if (body['stream'] !== true) {
    sendJson(response, 200, { ...made, ...(await collect(events)) });
    return;
  }
  const write = openEventStream(response);
  let count = 0;
  const send: Send = (data, name) => {
    write({ type: name, sequence_number: count, ...data }, name);
    count += 1;
  };
  const begin = (): void =>
    send({ response: { ...made, status: 'in_progress', output: [] } }, 'response.created');
  try {
    const ended = await collect(beginning(events, begin), send);
    send({ response: { ...made, ...ended } }, `response.${ended.status}`);
  } catch (error) {
    // Nothing was sent yet: then the status can say it.
    if (!response.headersSent) throw error;
    const { code, message } = failureOf(error);
    send(
      { response: { ...made, status: 'failed', output: [], error: { code, message } } },
      'response.failed',
    );
  }
  response.end();
}

/** The same events; `begin` runs before the first of them. */
async function* beginning(
  events: AsyncIterable<GeneratedEvent>,
  begin: () => void,
): AsyncGenerator<GeneratedEvent> {
  let isBegun = false;
  for await (const event of events) {
    if (!isBegun) begin();
    isBegun = true;
    yield event;
  }
}

type Ended = { readonly status: 'completed' | 'incomplete' } & Readonly<Record<string, unknown>>;

/** The items of the answer as they are whole; `send` hears of each on the way. */
async function collect(events: AsyncIterable<GeneratedEvent>, send: Send = () => undefined): Promise<Ended> {
  const output: object[] = [];
  const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant' };
  let text = '';
  let usage: TokenUsage | undefined;
  let status: Ended['status'] = 'completed';
  const part = (): object => ({ type: 'output_text', text, annotations: [] });
  const ofText = { item_id: message.id, output_index: 0, content_index: 0 };
  const begin = (): void => {
    send(
      { output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
      'response.output_item.added',
    );
    send({ ...ofText, part: part() }, 'response.content_part.added');
  };
  const finishText = (): void => {
    if (text === '') return;
    const item = { ...message, status, content: [part()] };
    output.unshift(item);
    send({ ...ofText, text }, 'response.output_text.done');
    send({ ...ofText, part: part() }, 'response.content_part.done');
    send({ output_index: 0, item }, 'response.output_item.done');
  };
  for await (const event of events) {
    if (event.type === 'text') {
      if (text === '') begin();
      text += event.text;
      send({ ...ofText, delta: event.text }, 'response.output_text.delta');
    } else if (event.type === 'toolCall') {
      const item = {
        id: `fc_${randomUUID()}`,
        type: 'function_call',
        call_id: event.id,
        name: event.name,
        arguments: JSON.stringify(event.arguments),
        status: 'completed',
      };
      output.push(item);
      const output_index = output.length - (text === '' ? 1 : 0);
      send(
        { output_index, item: { ...item, arguments: '', status: 'in_progress' } },
        'response.output_item.added',
      );
      send(
        { output_index, item_id: item.id, arguments: item.arguments },
        'response.function_call_arguments.done',
      );
      send({ output_index, item }, 'response.output_item.done');
    } else {
      ({ usage } = event);
      if (event.stopReason === 'length') status = 'incomplete';
    }
  }
  finishText();
  return {
    status,
    ...(status === 'incomplete' ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output,
    usage: toUsage(usage),
  };
}

function toUsage({ input, output, cacheRead = 0 }: TokenUsage = { input: 0, output: 0 }): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
