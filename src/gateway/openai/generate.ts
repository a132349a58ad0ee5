import { isRecord } from '../../base/json.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { GatewayPorts, GeneratedEvent } from '../gatewayPorts.ts';
import { invalidRequest } from '../routes/exchange.ts';
import { readMessages, readSettings, readTools } from './readMessages.ts';

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
