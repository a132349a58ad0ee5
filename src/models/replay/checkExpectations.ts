import { truncate } from '../../base/text.ts';
import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import type { ModelRequest } from '../../contracts/model.ts';
import type { ReplayTurn } from './replayTurn.ts';

/** What the request lacks of a turn's `expect`, as a sentence; undefined where it has everything. */
export function checkExpectations(turn: ReplayTurn, request: ModelRequest): string | undefined {
  const { userText, toolResult, tools } = turn.expect ?? {};
  if (userText !== undefined) {
    const said = textOf(request.messages.findLast((message) => message.role === 'user')?.content);
    if (!said.includes(userText)) return lacks('The last user message', userText, said);
  }
  if (toolResult !== undefined) {
    const results = lastResults(request.messages).map((message) => textOf(message.content));
    if (!results.some((text) => text.includes(toolResult))) {
      return lacks('A tool result since the last answer', toolResult, results.join('\n'));
    }
  }
  const missing = tools?.filter((name) => request.tools.every((tool) => tool.name !== name)) ?? [];
  if (missing.length === 0) return undefined;
  const offered = request.tools.map((tool) => tool.name).join(', ');
  return `These tools are not offered: ${missing.join(', ')}. Offered: ${offered === '' ? 'none' : offered}.`;
}

function lastResults(messages: readonly AgentMessage[]) {
  const lastAnswer = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(lastAnswer + 1).filter((message) => message.role === 'toolResult');
}

function textOf(parts: readonly (TextPart | ImagePart)[] = []): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function lacks(what: string, wanted: string, actual: string): string {
  const is = actual === '' ? 'there is none' : `it is ${JSON.stringify(truncate(actual, 200))}`;
  return `${what} should have the text ${JSON.stringify(wanted)}; ${is}.`;
}
