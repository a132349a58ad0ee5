// Threat: one session reads what another one knows: secrets, thoughts, what plugins keep in `details`, a page that gives
// orders. So only words are quoted, without secrets, each cut, and all of them together, too.
import { truncate } from '../base/text.ts';
import type { AgentMessage } from '../contracts/message.ts';
import type { QuotedMessage } from '../tools/core/sessions/agentSessions.ts';

const maxMessage = 2_000;
const maxAll = 12_000;
const maxArguments = 300;

/** What of a conversation another session may read. */
interface QuoteOptions {
  readonly limit: number;
  /** True adds tool calls and their results. */
  readonly includeTools: boolean;
  readonly redact: (text: string) => string;
}

/** The last messages that fit, oldest first, and how many earlier ones there are. Pure. */
export function quoteHistory(
  messages: readonly AgentMessage[],
  { limit, includeTools, redact }: QuoteOptions,
): { readonly messages: readonly QuotedMessage[]; readonly earlier: number } {
  const all = messages.flatMap((message) => quoted(message, includeTools));
  const shown: QuotedMessage[] = [];
  let room = maxAll;
  for (const { role, text } of all.slice(-limit).reverse()) {
    const cut = truncate(redact(text), maxMessage);
    if (cut.length > room) break;
    room -= cut.length;
    shown.unshift({ role, text: cut });
  }
  return { messages: shown, earlier: all.length - shown.length };
}

function quoted(message: AgentMessage, includeTools: boolean): readonly QuotedMessage[] {
  if (message.role === 'toolResult' && !includeTools) return [];
  const texts: string[] = [];
  for (const part of message.content) {
    // What was attached or injected is not what somebody said.
    if (part.type === 'text' && !(message.role === 'user' && part.isContext === true)) texts.push(part.text);
    if (part.type === 'image') texts.push('[image]');
    if (part.type === 'toolCall' && includeTools)
      texts.push(`[calls ${part.name} ${truncate(JSON.stringify(part.arguments), maxArguments)}]`);
  }
  const text = texts.join('\n').trim();
  if (text === '') return [];
  if (message.role !== 'toolResult') return [{ role: message.role, text }];
  return [{ role: 'tool', text: `${message.toolName}${message.isError ? ' failed' : ''}: ${text}` }];
}
