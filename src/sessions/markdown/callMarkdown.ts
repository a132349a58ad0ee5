import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { ToolCallPart, ToolResultMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { codeBlock } from './codeBlock.ts';

/** A call as a transcript has it; without a result where it was cut off. */
export interface StoredCall {
  readonly call: ToolCallPart;
  readonly result?: ToolResultMessage;
}

/** Undefined where no line holds it any more. Pure. */
export function findCall(entries: readonly SessionEntry[], toolCallId: string): StoredCall | undefined {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const call = messages
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .find((part) => part.type === 'toolCall' && part.id === toolCallId);
  if (call?.type !== 'toolCall') return undefined;
  const result = messages.find((each) => each.role === 'toolResult' && each.toolCallId === toolCallId);
  return result?.role === 'toolResult' ? { call, result } : { call };
}

/** What of its parameters says best what a call is about, in order. */
const telling = ['command', 'path', 'pattern', 'query', 'url'] as const;

/** `exec npm test`: a call as the name of a file, so without the slashes of a path. Pure. */
export function callTitle({ call: { name, arguments: params } }: StoredCall): string {
  const about = telling.map((each) => params[each]).find((value) => typeof value === 'string') ?? '';
  return inertLine(`${name} ${about}`, 60).replace(/[/\\]/gu, '\u2215');
}

const maxChars = 200_000;

/** One call as a document: what was asked for, who judged it (one plain line each), and what came of it. Pure. */
export function callMarkdown({ call, result }: StoredCall, judged: readonly string[]): string {
  const given = codeBlock(JSON.stringify(call.arguments, null, 2), maxChars, 'json');
  const text = (result?.content ?? [])
    .map((part) => (part.type === 'text' ? part.text : `[image, ${part.mimeType}]`))
    .join('\n');
  const state = result === undefined ? 'No result' : result.isError ? 'Failed' : 'Result';
  const blocks = [
    `# ${escapeMarkdown(inertLine(call.name, 100))}`,
    '## Parameters',
    given,
    ...(judged.length === 0 ? [] : ['## Judged', codeBlock(judged.join('\n'), maxChars)]),
    `## ${state}`,
    ...(text === '' ? [] : [codeBlock(text, maxChars)]),
    ...(result?.details === undefined
      ? []
      : ['## Details', codeBlock(JSON.stringify(result.details, null, 2), maxChars, 'json')]),
  ];
  return `${blocks.join('\n\n')}\n`;
}
