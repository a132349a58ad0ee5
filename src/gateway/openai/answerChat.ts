import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '../../base/json.ts';
import type { TokenUsage } from '../../contracts/message.ts';
import type { GatewayPorts, GeneratedEvent } from '../gatewayPorts.ts';
import { failureOf, readBody, sendJson, signalOf } from '../routes/exchange.ts';
import { generate } from './generate.ts';

type ChatPorts = Pick<GatewayPorts, 'runAgent' | 'askModel'>;
type ToolCall = Extract<GeneratedEvent, { type: 'toolCall' }>;

/** `POST /v1/chat/completions` (OpenClaw documentation, OpenAI chat completions). */
export async function answerChat(
  ports: ChatPorts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  forbidRetries(response);
  const events = generate(ports, body, body['messages'], signalOf(response));
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: body['model'],
  };
  if (body['stream'] !== true) {
    sendJson(response, 200, { ...head, object: 'chat.completion', ...(await collect(events)) });
    return;
  }
  const options = body['stream_options'];
  const wantsUsage = isRecord(options) && options['include_usage'] === true;
  await stream(response, events, { ...head, object: 'chat.completion.chunk' }, wantsUsage);
}

async function collect(events: AsyncIterable<GeneratedEvent>): Promise<object> {
  let content = '';
  const calls: ToolCall[] = [];
  let usage: TokenUsage | undefined;
  let reason = 'stop';
  for await (const event of events) {
    if (event.type === 'text') content += event.text;
    else if (event.type === 'toolCall') calls.push(event);
    else {
      ({ usage } = event);
      reason = finishOf(event.stopReason);
    }
  }
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toToolCall) }),
  };
  return { choices: [{ index: 0, message, finish_reason: reason, logprobs: null }], usage: toUsage(usage) };
}

async function stream(
  response: ServerResponse,
  events: AsyncIterable<GeneratedEvent>,
  head: object,
  wantsUsage: boolean,
): Promise<void> {
  const send = openEventStream(response);
  const chunk = (delta: object, finish: string | null = null): void =>
    send({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  try {
    let isBegun = false;
    let count = 0;
    let usage: TokenUsage | undefined;
    for await (const event of events) {
      if (!isBegun) chunk({ role: 'assistant', content: '' });
      isBegun = true;
      if (event.type === 'text') chunk({ content: event.text });
      else if (event.type === 'toolCall') {
        chunk({ tool_calls: [{ index: count, ...toToolCall(event) }] });
        count += 1;
      } else {
        ({ usage } = event);
        chunk({}, finishOf(event.stopReason));
      }
    }
    if (wantsUsage) send({ ...head, choices: [], usage: toUsage(usage) });
  } catch (error) {
    // Nothing was sent yet: then the status can say it.
    if (!response.headersSent) throw error;
    const { type, code, message } = failureOf(error);
    send({ error: { type, code, message } });
  }
  response.end('data: [DONE]\n\n');
}

/**
 * OpenAI's clients ask again by themselves after a failure. The turn of an agent has called tools by then, and a model has been asked again
 * already where that could help.
 */
export function forbidRetries(response: ServerResponse): void {
  response.setHeader('x-should-retry', 'false');
}

/** Server-sent events; the head goes out with the first of them. `name` is the type of the event, where it has one. */
export function openEventStream(response: ServerResponse): (data: object, name?: string) => void {
  return (data, name) => {
    if (!response.headersSent)
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
  };
}

function toToolCall({ id, name, arguments: args }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

function finishOf(reason: Extract<GeneratedEvent, { type: 'done' }>['stopReason']): string {
  if (reason === 'toolUse') return 'tool_calls';
  return reason === 'length' ? 'length' : 'stop';
}

function toUsage({ input, output }: TokenUsage = { input: 0, output: 0 }): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
