import type { AgentMessage, ImagePart, TextPart } from '../contracts/message.ts';

const placeholder: TextPart = {
  type: 'text',
  text: '[An image was here. You can not see images: say so where it matters.]',
  isContext: true,
};

/** The conversation for a model that reads no images: each is a word that says so. Gives the same list where there are none. Pure. */
export function replaceImages(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return messages.some(hasImage) ? messages.map(withoutImages) : messages;
}

function hasImage({ content }: AgentMessage): boolean {
  return content.some((part) => part.type === 'image');
}

function withoutImages(message: AgentMessage): AgentMessage {
  if (message.role === 'assistant' || !hasImage(message)) return message;
  return { ...message, content: message.content.map(toText) };
}

function toText(part: TextPart | ImagePart): TextPart {
  return part.type === 'image' ? placeholder : part;
}
