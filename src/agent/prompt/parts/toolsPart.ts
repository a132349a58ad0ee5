import type { PromptPart } from '../../../contracts/promptReport.ts';
import type { PromptInput } from '../promptInput.ts';

/** How tools are used; which there are, the request itself says. */
export function toolsPart({ isReadOnly }: Pick<PromptInput, 'isReadOnly'>): PromptPart {
  return {
    id: 'tools',
    title: 'How to use tools',
    owner: { kind: 'pincer' },
    place: 'system',
    text: [
      'Use the tools to look at files instead of guessing, and read a file before you change it. The user reviews each change; when a call is denied or blocked, do not repeat it: say what you could not do and why.',
      ...(isReadOnly ? ['This workspace is not trusted: you can read files and change none.'] : []),
    ].join('\n\n'),
  };
}
