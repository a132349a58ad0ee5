import type {
  AgentMessage,
  AssistantMessage,
  ToolCallPart,
  ToolResultMessage,
} from '../../contracts/message.ts';
import { plural } from '../../base/text.ts';
import { fenced, inertProse, inlineCode } from './inertMarkdown.ts';

const maxLines = 120;
const maxLength = 8_000;

/** Shows the results of the last tool calls, one paragraph or block for each; an error with its reason. */
export function answerToolResults(messages: readonly AgentMessage[]): string[] {
  const lastAnswer = messages.findLastIndex((message) => message.role === 'assistant');
  const answer = messages[lastAnswer];
  const calls = answer?.role === 'assistant' ? callsOf(answer) : [];
  return messages
    .slice(lastAnswer + 1)
    .filter((message) => message.role === 'toolResult')
    .flatMap((result) =>
      showResult(
        result,
        calls.find((call) => call.id === result.toolCallId),
      ),
    );
}

function callsOf(answer: AssistantMessage): ToolCallPart[] {
  return answer.content.filter((part) => part.type === 'toolCall');
}

function showResult(result: ToolResultMessage, call: ToolCallPart | undefined): string[] {
  const name = inlineCode(titleOf(result, call));
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  // The second part of a refusal tells a model what to do next; a person sees the reason alone.
  const text = result.isError ? (texts[0] ?? '') : texts.join('\n');
  const images = result.content.filter((part) => part.type === 'image').length;
  const note = images === 0 ? [] : [`(${plural(images, 'image')} that I can not show)`];
  const lead = result.isError ? `${name} did not go through` : name;
  if (text.trim() === '') return [`${lead}: no output.`, ...note];
  const lines = text.replace(/\s+$/u, '').split(/\r\n|\n|\r/u);
  const [only = ''] = lines;
  if (lines.length === 1 && only.length <= 300) return [`${lead}: ${inertProse(only)}`, ...note];
  return [`${lead}:`, ...showLines(lines), ...note];
}

/** `write notes.md`: the tool and what it worked on. */
function titleOf(result: ToolResultMessage, call: ToolCallPart | undefined): string {
  const name = call?.name ?? result.toolName;
  const { path, pattern, command, url } = call?.arguments ?? {};
  const target = [path, pattern, command, url].find((value) => typeof value === 'string');
  return target === undefined ? name : `${name} ${target}`;
}

function showLines(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let room = maxLength;
  for (const line of lines.slice(0, maxLines)) {
    shown.push(line.slice(0, room));
    room -= line.length + 1;
    if (room <= 0) break;
  }
  const isCut = shown.length < lines.length || room < 0;
  const note = isCut ? [`(cut: ${plural(shown.length, 'line')} of ${lines.length} shown)`] : [];
  return [fenced(shown), ...note];
}
