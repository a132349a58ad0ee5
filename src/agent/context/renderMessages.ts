import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import { shorten } from './shorten.ts';

const maxUserText = 12_000;
const maxAnswerText = 6_000;
const maxContextText = 1_500;
const maxArguments = 800;
const maxResultText = 2_500;

/**
 * A message as the writer of a summary reads it: who it is from, then its text; long texts shortened. `redact` sees texts
 * before they are cut, since half a secret is not recognised any more. Thoughts and pictures are left out. Pure.
 */
export function renderMessage(message: AgentMessage, redact: (text: string) => string): string {
  const cut = (text: string, max: number): string => shorten(redact(text), max);
  switch (message.role) {
    case 'user':
      return message.content.map((part) => renderUserPart(part, message.via, cut)).join('\n');
    case 'assistant':
      return message.content
        .flatMap((part) => {
          if (part.type === 'thinking') return [];
          if (part.type === 'text') return [`[assistant] ${cut(part.text, maxAnswerText)}`];
          return [`[assistant calls ${part.name}] ${cut(JSON.stringify(part.arguments), maxArguments)}`];
        })
        .join('\n');
    case 'toolResult':
      return `[${message.isError ? 'error' : 'result'} of ${message.toolName}] ${cut(textOf(message.content), maxResultText)}`;
  }
}

function renderUserPart(
  part: TextPart | ImagePart,
  via: 'steer' | 'followUp' | undefined,
  cut: (text: string, max: number) => string,
): string {
  if (part.type === 'image') return '[a picture came with it]';
  if (part.isContext === true) return `[attached] ${cut(part.text, maxContextText)}`;
  return `${via === 'steer' ? '[user, while the assistant worked]' : '[user]'} ${cut(part.text, maxUserText)}`;
}

function textOf(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n');
}
