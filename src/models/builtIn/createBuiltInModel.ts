import { randomUUID } from 'node:crypto';
import { throwIfAborted } from '../../base/abort.ts';
import type {
  UserMessage,
  AgentMessage,
  AssistantMessage,
  ToolCallPart,
  ToolResultMessage,
} from '../../contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import {
  answerQuestion,
  asksForChange,
  asksForOverview,
  chooseReadmes,
  refuseChange,
  type Passage,
} from './answerQuestion.ts';
import { builtInModelInfo } from './builtInModelInfo.ts';
import { inertProse, inlineCode, fenced } from './inertMarkdown.ts';
import { isToolCommand, parseBuiltInCommand, type BuiltInCommand } from './parseBuiltInCommand.ts';
import { closingLine, helpText } from './texts.ts';
import { plural } from '../../base/text.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';

interface BuiltInModelOptions {
  /** Finds passages of the workspace's markdown, best first. */
  readonly search: (
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ) => Promise<readonly Passage[]>;
  /** The address that opens a file at a 1-based line. */
  readonly fileLink: (absolutePath: string, line: number) => string;
}

/**
 * The model that is always there and needs no key. No AI, and it says so: it answers questions with passages of the
 * workspace's markdown, and turns plain commands into tool calls, so that a newcomer sees tools, plugins and approvals at work.
 *
 * A user's words are the first text part of the message that is no context; attached text is never taken for a command.
 */
export function createBuiltInModel(options: BuiltInModelOptions): Model {
  return {
    info: builtInModelInfo,
    async *stream(request) {
      throwIfAborted(request.signal);
      const plan = await planAnswer(options, request);
      if (plan.kind === 'call') {
        yield { type: 'toolCall', id: `call_${randomUUID()}`, name: plan.tool, arguments: plan.arguments };
        yield { type: 'done', stopReason: 'toolUse' };
        return;
      }
      yield* say(plan.paragraphs, request.signal);
    },
  };
}

type AnswerPlan =
  | Extract<BuiltInCommand, { kind: 'call' }>
  | { readonly kind: 'text'; readonly paragraphs: readonly string[] };

async function planAnswer(options: BuiltInModelOptions, request: ModelRequest): Promise<AnswerPlan> {
  const last = request.messages.at(-1);
  if (last?.role === 'toolResult') return { kind: 'text', paragraphs: answerToolResults(request.messages) };
  if (last?.role !== 'user') return text(helpText(request.tools));
  const words = wordsOf(last);
  const command = parseBuiltInCommand(words);
  const explain = isToolCommand(words) ? plain : text;
  switch (command.kind) {
    case 'call': {
      const missing = explainMissingTool(command.tool, request.tools);
      return missing === undefined ? command : explain(missing);
    }
    case 'invalid':
      return explain([
        `${inertProse(command.problem)} It is written like this: ${inlineCode(command.usage)}`,
      ]);
    case 'help':
      return text(helpText(request.tools));
    case 'question':
      if (asksForChange(command.text)) return text(refuseChange(request.tools));
      return text(
        answerQuestion({
          question: command.text,
          passages: await findPassages(options, command.text, request.signal),
          tools: request.tools,
          fileLink: options.fileLink,
        }),
      );
  }
}

async function findPassages(
  { search }: BuiltInModelOptions,
  question: string,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const readmes = asksForOverview(question)
    ? chooseReadmes(await search('readme', { limit: 50, signal }))
    : [];
  return readmes.length > 0 ? readmes : await search(question, { limit: 10, signal });
}

/** An answer in words; the result of a command speaks for itself and needs no closing line. */
function text(paragraphs: readonly string[]): AnswerPlan {
  return plain([...paragraphs, closingLine]);
}

/** To somebody who has called a tool by its name, and may have a model for the rest. */
function plain(paragraphs: readonly string[]): AnswerPlan {
  return { kind: 'text', paragraphs };
}

function wordsOf(message: UserMessage): string {
  const own = message.content.find((part) => part.type === 'text' && part.isContext !== true);
  return own?.type === 'text' ? own.text : '';
}

/** One event a paragraph, so that a long answer appears as it is written. */
function* say(paragraphs: readonly string[], signal: AbortSignal): Generator<ModelEvent> {
  for (const [index, paragraph] of paragraphs.entries()) {
    throwIfAborted(signal);
    yield { type: 'text', text: index === 0 ? paragraph : `\n\n${paragraph}` };
  }
  yield { type: 'done', stopReason: 'stop' };
}

const maxLines = 120;
const maxLength = 8_000;

/** Shows the results of the last tool calls, one paragraph or block for each; an error with its reason. */
function answerToolResults(messages: readonly AgentMessage[]): string[] {
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

/** Undefined where the tool can be called; else why not, as paragraphs. */
function explainMissingTool(name: string, tools: readonly ToolDefinition[]): string[] | undefined {
  const names = tools.map((tool) => tool.name);
  if (names.includes(name)) return undefined;
  const reason =
    'No open folder, a window that is not trusted, a tool policy or a disabled plugin can be the reason.';
  if (names.length === 0)
    return [`The tool ${inlineCode(name)} is not available, nor is any other. ${reason}`];
  const list = nearestFirst(name, names).slice(0, 30).map(inlineCode).join(', ');
  return [`The tool ${inlineCode(name)} is not available here. ${reason}`, `There are: ${list}.`];
}
