import { truncate } from '../../base/text.ts';
import type { ToolResultMessage } from '../../contracts/message.ts';

/** Characters of text that a result may bring into a transcript, over all its parts. */
export const maxResultChars = 16_000;
const maxDetailsBytes = 8_192;
const maxDetailKeys = 40;
/** Room for the note about what was cut. */
const noteChars = 120;

/** A result that fits into a transcript: text is cut with a note that says so, large details become a summary. Pure. */
export function capResult(message: ToolResultMessage, maxChars = maxResultChars): ToolResultMessage {
  const { details, ...rest } = message;
  let left = maxChars;
  const content = message.content.map((part) => {
    if (part.type !== 'text') return part;
    const text = capText(part.text, left);
    left = Math.max(0, left - text.length);
    return { ...part, text };
  });
  return { ...rest, content, ...(details === undefined ? {} : { details: capDetails(details) }) };
}

function capText(text: string, max: number): string {
  if (text.length <= max) return text;
  const shown = Math.max(0, max - noteChars);
  const note = `[Cut: ${text.length} characters in all. Ask for less at a time.]`;
  return shown === 0 ? note : `${truncate(text, shown)}\n\n${note}`;
}

/** Shape and limits are upstream's. What is no JSON is dropped: a transcript could not hold it. */
function capDetails(details: unknown): unknown {
  const json = toJson(details);
  const bytes = json === undefined ? 0 : new TextEncoder().encode(json).length;
  if (json !== undefined && bytes <= maxDetailsBytes) return JSON.parse(json);
  const keys = typeof details === 'object' && details !== null ? Object.keys(details) : [];
  return {
    persistedDetailsTruncated: true,
    originalDetailsBytes: bytes,
    originalDetailKeys: keys.slice(0, maxDetailKeys),
  };
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
