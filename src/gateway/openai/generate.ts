import { isRecord, parseJson } from '../../base/json.ts';
import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import type { GatewayPorts, GeneratedEvent, ModelQuestion } from '../gatewayPorts.ts';
import { invalidRequest } from '../routes/exchange.ts';
import { randomUUID } from 'node:crypto';
import type { ModelSettings } from '../../contracts/model.ts';

/** Who answers: an agent's turn by `openclaw`, `openclaw:<agent>` or `openclaw/<agent>`, any other name is a model's. Pure. */
export function agentIn(model: string): { readonly agentId: string | undefined } | undefined {
  const named = /^openclaw(?:[:/](?<agent>.+))?$/u.exec(model);
  if (named === null) return undefined;
  const agent = named.groups?.['agent'];
  return { agentId: agent === 'default' ? undefined : agent };
}

/**
 * The answer to a request of either API. `said` is what was said: `messages` or `input`; `instructions` come before what the system says.
 * @throws PincerError `request_invalid`
 */
export function generate(
  ports: Pick<GatewayPorts, 'runAgent' | 'askModel'>,
  body: Readonly<Record<string, unknown>>,
  said: unknown,
  signal: AbortSignal,
): AsyncIterable<GeneratedEvent> {
  const { model, user, instructions } = body;
  if (typeof model !== 'string' || model === '') throw invalidRequest('model must be a name.');
  const { system: saidSystem, messages } = readMessages(said, Date.now());
  const system = [typeof instructions === 'string' ? instructions : '', saidSystem]
    .filter((text) => text !== '')
    .join('\n\n');
  refuseUnserved(body);
  const settings = readSettings(body);
  const agent = agentIn(model);
  if (agent === undefined)
    return ports.askModel({ model, system, messages, tools: readTools(body['tools']), settings, signal });
  const last = messages.at(-1);
  if (last?.role !== 'user') throw invalidRequest('The last message must be one of the user.');
  if (Array.isArray(body['tools']) && body['tools'].length > 0)
    throw invalidRequest(
      'An agent calls its own tools alone: leave tools out, or ask a model of GET /v1/models by its name, which is given them.',
    );
  return ports.runAgent({
    ...(agent.agentId === undefined ? {} : { agentId: agent.agentId }),
    prompt: wordsOf(last),
    images: last.content.filter((part) => part.type === 'image'),
    instructions: system === '' ? '' : `Instructions of the program that asks:\n${system}`,
    earlier: quote(messages.slice(0, -1)),
    ...(typeof user === 'string' && user !== '' ? { conversation: user } : {}),
    isStreamed: body['stream'] === true,
    settings,
    signal,
  });
}

/** Refuses parameters that can't be left out of account: the answer would be another one. @throws PincerError `request_invalid` */
function refuseUnserved({ n, previous_response_id: previous }: Readonly<Record<string, unknown>>): void {
  if ((n ?? 1) !== 1) throw invalidRequest('There is one answer to a request: leave n out.');
  if ((previous ?? '') !== '')
    throw invalidRequest(
      'No answers are stored, so previous_response_id names none: send what was said before, or go on with an agent by user.',
    );
}

/** What the caller says of the conversation before, as one text; empty where there was none. Of images it says that there was one. */
function quote(messages: readonly AgentMessage[]): string {
  const lines = messages.map((message) => {
    const images = message.content.filter((part) => part.type === 'image').map(() => '[image]');
    return `${message.role}: ${[wordsOf(message), ...images].join(' ').trim()}`;
  });
  return lines.length === 0 ? '' : `The conversation so far:\n${lines.join('\n')}`;
}

function wordsOf({ content }: AgentMessage): string {
  return content.flatMap((part) => (isRecord(part) && part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A conversation as OpenAI's clients send it, read: what the system says, then who said what. */
interface ReadConversation {
  readonly system: string;
  readonly messages: readonly AgentMessage[];
}

type Fields = Readonly<Record<string, unknown>>;

/** `messages` of the Chat Completions API, or `input` of the Responses API. @throws PincerError `request_invalid` */
function readMessages(given: unknown, now: number): ReadConversation {
  const items = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  if (!Array.isArray(items) || items.length === 0) throw invalidRequest('There must be a message at least.');
  const system: string[] = [];
  const messages: AgentMessage[] = [];
  const toolNames = new Map<string, string>();
  const call = (id: unknown, name: unknown, args: unknown): void => {
    const callId = typeof id === 'string' ? id : randomUUID();
    const toolName = String(name);
    toolNames.set(callId, toolName);
    const parsed: unknown = typeof args === 'string' ? parseJson(args) : args;
    messages.push(
      said(
        [{ type: 'toolCall', id: callId, name: toolName, arguments: isRecord(parsed) ? parsed : {} }],
        now,
        'toolUse',
      ),
    );
  };
  const result = (id: unknown, content: unknown): void => {
    const toolCallId = String(id);
    messages.push({
      role: 'toolResult',
      toolCallId,
      toolName: toolNames.get(toolCallId) ?? '',
      content: [{ type: 'text', text: textOf(content) }],
      isError: false,
      timestamp: now,
    });
  };
  for (const item of items as readonly unknown[]) {
    if (!isRecord(item)) throw invalidRequest('Each message must be an object.');
    const { role, type, content } = item;
    if (type === 'function_call') call(item['call_id'], item['name'], item['arguments']);
    else if (type === 'function_call_output') result(item['call_id'], item['output']);
    else if (role === 'system' || role === 'developer') system.push(textOf(content));
    else if (role === 'user') messages.push({ role, content: partsOf(content), timestamp: now });
    else if (role === 'tool') result(item['tool_call_id'], content);
    else if (role === 'assistant') {
      const text = textOf(content);
      if (text !== '') messages.push(said([{ type: 'text', text }], now, 'stop'));
      for (const each of listOf(item['tool_calls'])) {
        const { function: named } = each;
        if (isRecord(named)) call(each['id'], named['name'], named['arguments']);
      }
    } else throw invalidRequest(`A message has the role ${String(role)}, which is not known.`);
  }
  return { system: system.filter((text) => text !== '').join('\n\n'), messages };
}

function said(
  content: Extract<AgentMessage, { role: 'assistant' }>['content'],
  timestamp: number,
  stopReason: 'stop' | 'toolUse',
): AgentMessage {
  return { role: 'assistant', content, provider: '', model: '', stopReason, timestamp };
}

/** Texts and images by data URLs; nothing is fetched. @throws PincerError `request_invalid` */
function partsOf(content: unknown): readonly (TextPart | ImagePart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalidRequest('The content of a message must be a text or its parts.');
  return listOf(content).map((part): TextPart | ImagePart => {
    const { type, text, image_url: image } = part;
    if ((type === 'text' || type === 'input_text') && typeof text === 'string') return { type: 'text', text };
    const url = isRecord(image) ? image['url'] : image;
    const found = /^data:(?<mimeType>image\/[a-z+]+);base64,(?<data>[A-Za-z0-9+/=]+)$/u.exec(
      typeof url === 'string' ? url : '',
    )?.groups;
    if (found === undefined)
      throw invalidRequest('A part of a message must be a text, or an image as a data URL.');
    return { type: 'image', mimeType: found['mimeType'] ?? '', data: found['data'] ?? '' };
  });
}

/** The texts of a content, whatever else it has. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** Function tools of either API; others have no meaning here. @throws PincerError `request_invalid` */
function readTools(tools: unknown): ModelQuestion['tools'] {
  return listOf(tools ?? []).map((tool) => {
    const named = isRecord(tool['function']) ? tool['function'] : tool;
    const { name, description, parameters } = named;
    if (tool['type'] !== 'function' || typeof name !== 'string' || name === '')
      throw invalidRequest('A tool must be a function with a name.');
    return {
      name,
      description: typeof description === 'string' ? description : '',
      parameters: isRecord(parameters) ? parameters : { type: 'object' },
    };
  });
}

/** @throws PincerError `request_invalid` */
function readSettings(body: Fields): ModelSettings {
  const temperature = body['temperature'] ?? undefined;
  const maxTokens =
    body['max_completion_tokens'] ?? body['max_output_tokens'] ?? body['max_tokens'] ?? undefined;
  if (temperature !== undefined && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2))
    throw invalidRequest('temperature must be a number from 0 to 2.');
  if (
    maxTokens !== undefined &&
    !(typeof maxTokens === 'number' && Number.isSafeInteger(maxTokens) && maxTokens > 0)
  )
    throw invalidRequest('The limit of tokens must be a positive whole number.');
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
