// Threat: people paste keys into chats, tools print them, models repeat them. A transcript lies on disk for years, is searched,
// exported and shown to models again. So secrets go before a line is written, wherever a text can hold one.
import { removedKey } from '../base/secrets/redactKeys.ts';
import { isSecretField } from '../base/secrets/secretFields.ts';
import type { Params } from '../contracts/jsonTypes.ts';
import type { AgentMessage, AssistantMessage, ImagePart, TextPart } from '../contracts/message.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';

/** Takes secrets out of a text; must leave what is no secret as it is. */
export type Redact = (text: string) => string;

/** Deeper values are no data of a tool, and a value that holds itself has no end. */
const maxDepth = 64;
/** Shorter values, and references such as `$TOKEN`, stand for something else. */
const secretValue = /^(?![$<{[])\S(?:.{6,}\S)$/su;

/** The line as it may be stored. What servers signed stays byte for byte, ids and names of tools too. Pure. */
export function redactEntry(entry: SessionEntry, redact: Redact): SessionEntry {
  switch (entry.type) {
    case 'message':
      return { ...entry, message: redactMessage(entry.message, redact) };
    case 'compaction':
      return { ...entry, summary: redact(entry.summary) };
    case 'name':
      return { ...entry, name: redact(entry.name) };
    case 'turn':
    case 'settings':
    case 'end':
      return entry;
  }
}

function redactMessage(message: AgentMessage, redact: Redact): AgentMessage {
  switch (message.role) {
    case 'user':
      return { ...message, content: message.content.map((part) => redactPart(part, redact)) };
    case 'toolResult': {
      const { details, ...rest } = message;
      const content = message.content.map((part) => redactPart(part, redact));
      return {
        ...rest,
        content,
        ...(details === undefined ? {} : { details: redactValue(details, redact) }),
      };
    }
    case 'assistant': {
      const content = message.content.map((part) => redactAnswer(part, redact));
      const { errorMessage } = message;
      const failed = errorMessage === undefined ? {} : { errorMessage: redact(errorMessage) };
      return { ...message, content, ...failed };
    }
  }
}

function redactPart(part: TextPart | ImagePart, redact: Redact): TextPart | ImagePart {
  return part.type === 'text' ? { ...part, text: redact(part.text) } : part;
}

/** A signature holds only for the text that it was made for: a thought that had to be changed loses it. */
function redactAnswer(
  part: AssistantMessage['content'][number],
  redact: Redact,
): AssistantMessage['content'][number] {
  if (part.type === 'text') return { ...part, text: redact(part.text) };
  if (part.type === 'toolCall') return { ...part, arguments: redactValue(part.arguments, redact) as Params };
  const thinking = redact(part.thinking);
  if (thinking === part.thinking) return part;
  const { thinkingSignature: _seal, ...rest } = part;
  return { ...rest, thinking };
}

/** Every text inside a JSON value; `name` is the property that holds it. */
function redactValue(value: unknown, redact: Redact, name = '', depth = 0): unknown {
  if (typeof value === 'string')
    return isSecretField(name) && secretValue.test(value) ? removedKey : redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.map((each) => redactValue(each, redact, name, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redactValue(each, redact, key, depth + 1)]),
  );
}
