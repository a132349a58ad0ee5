import type { PromptPart } from '../../contracts/promptReport.ts';

/** The parts of the system prompt as a model gets them, with an empty line between them. Pure. */
export function systemPromptOf(parts: readonly PromptPart[]): string {
  return parts.flatMap(({ place, text }) => (place === 'system' && text !== '' ? [text] : [])).join('\n\n');
}
