import { escapeMarkdown, inertLine, plural } from '../../base/text.ts';
import type {
  AgentMessage,
  AssistantMessage,
  ToolResultMessage,
  UserMessage,
} from '../../contracts/message.ts';
import type { SessionEntry, SessionHeader, TurnState } from '../../contracts/sessionEntry.ts';
import { isSaid } from '../isSaid.ts';
import { codeBlock } from './codeBlock.ts';
import { inertAnswer } from './inertAnswer.ts';
import { readChannelMessage } from './readChannelMessage.ts';

/** What an export shows. */
interface ExportedSession {
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  /** The session's name, or its first words. */
  readonly title: string;
}

const maxResult = 2_000;
const maxAttachment = 2_000;

/**
 * A conversation as markdown: what was said as it was written, calls and attachments folded and cut, compactions with their
 * summary. Secrets are out of it, since no transcript holds them. Pure.
 */
export function toMarkdown({ header, entries, title }: ExportedSession): string {
  const calls = resultsOf(entries);
  const blocks = [
    `# ${escapeMarkdown(inertLine(title, 200))}`,
    metaOf(header, entries),
    ...entries.map((entry) => blockOf(entry, calls)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

type Results = ReadonlyMap<object, ToolResultMessage>;

/** Which result belongs to which call. Ids count within one answer only: some servers number their calls anew each time. */
function resultsOf(entries: readonly SessionEntry[]): Results {
  const results = new Map<object, ToolResultMessage>();
  const open = new Map<string, object>();
  for (const entry of entries) {
    if (entry.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'toolResult') {
      const call = open.get(message.toolCallId);
      if (call !== undefined) results.set(call, message);
      open.delete(message.toolCallId);
    } else {
      open.clear();
      for (const part of message.content) if (part.type === 'toolCall') open.set(part.id, part);
    }
  }
  return results;
}

function metaOf(header: SessionHeader, entries: readonly SessionEntry[]): string {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const models = new Set(
    messages.flatMap((each) => (each.role === 'assistant' ? [`${each.provider}/${each.model}`] : [])),
  );
  const { parent, folders } = header;
  const facts = [
    ['Session', header.id],
    ['Agent', header.agentId],
    ['Began', new Date(header.createdAt).toISOString()],
    ['Messages', String(messages.filter(isSaid).length)],
    ...(models.size === 0 ? [] : [['Models', [...models].join(', ')]]),
    ...(folders.length === 0 ? [] : [['Folders', folders.join(', ')]]),
    ...(parent === undefined ? [] : [['Comes from', parent.sessionId]]),
  ];
  return facts.map(([name = '', value = '']) => `- ${name}: ${literal(value)}`).join('\n');
}

function blockOf(entry: SessionEntry, results: Results): string {
  switch (entry.type) {
    case 'message':
      return messageOf(entry.message, results);
    case 'compaction': {
      const what = `The conversation was shortened: a summary stands for ${plural(entry.compactedCount, 'message')}`;
      return folded(what, inertAnswer(entry.summary));
    }
    case 'turn':
      return turnOf(entry.state);
    case 'name':
    case 'settings':
    case 'end':
      return '';
  }
}

function turnOf(state: TurnState): string {
  if (state === 'failed') return '*The turn failed.*';
  return state === 'cancelled' ? '*The turn was cancelled.*' : '';
}

function messageOf(message: AgentMessage, results: Results): string {
  if (message.role === 'user') return userOf(message);
  return message.role === 'assistant' ? answerOf(message, results) : '';
}

function userOf({ content, via, timestamp }: UserMessage): string {
  const own = content.flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []));
  const added = content.flatMap((part) => {
    if (part.type === 'image') return [`*Image (${literal(part.mimeType)}), left out.*`];
    return part.isContext === true ? [folded('Attached', codeBlock(part.text, maxAttachment))] : [];
  });
  const how = via === undefined ? '' : via === 'steer' ? ', while the turn ran' : ', queued';
  const text = own.join('\n');
  const sent = readChannelMessage(text);
  const who =
    sent === undefined
      ? 'User'
      : escapeMarkdown(inertLine(`${sent.from} (${sent.channel}, ${sent.id})`, 160));
  return [`## ${who}${how} (${timeOf(timestamp)})`, inertAnswer(sent?.text ?? text), ...added]
    .filter((block) => block !== '')
    .join('\n\n');
}

function answerOf(answer: AssistantMessage, results: Results): string {
  const parts = answer.content.flatMap((part) => {
    if (part.type === 'text') return [inertAnswer(part.text)];
    if (part.type === 'thinking')
      return part.thinking === '' ? [] : [folded('Thoughts', inertAnswer(part.thinking))];
    return [callOf(part.name, part.arguments, results.get(part))];
  });
  const failed =
    answer.errorMessage === undefined
      ? []
      : [`*Failed: ${escapeMarkdown(inertLine(answer.errorMessage, 500))}*`];
  return [`## Assistant (${timeOf(answer.timestamp)})`, ...parts, ...failed]
    .filter((block) => block !== '')
    .join('\n\n');
}

function callOf(name: string, params: unknown, result: ToolResultMessage | undefined): string {
  const given = codeBlock(JSON.stringify(params, null, 2), maxResult, 'json');
  const state = result === undefined ? ', no result' : result.isError ? ', failed' : '';
  const text = (result?.content ?? [])
    .map((part) => (part.type === 'text' ? part.text : '[image]'))
    .join('\n');
  return folded(`Tool: ${name}${state}`, text === '' ? given : `${given}\n\n${codeBlock(text, maxResult)}`);
}

/** `summary` is untrusted. A blank line lets the body be markdown. */
function folded(summary: string, body: string): string {
  return `<details>\n<summary>${html(inertLine(summary, 120))}</summary>\n\n${body}\n\n</details>`;
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A fact as it is, on one line: a code span, which nothing in it can end. */
function literal(text: string): string {
  return `\`${inertLine(text, 1_000).replaceAll('`', "'")}\``;
}

function timeOf(timestamp: number): string {
  return new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ');
}
