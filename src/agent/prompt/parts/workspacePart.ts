import type { PromptPart } from '../../../contracts/promptReport.ts';
import type { PromptInput } from '../promptInput.ts';

/** Where the model works, on what, and when. */
export function workspacePart({ folders, platform, date }: PromptInput): PromptPart {
  return {
    id: 'workspace',
    title: 'Workspace',
    owner: { kind: 'pincer' },
    place: 'system',
    text: [foldersText(folders), `Platform: ${platform}. Date: ${date.toISOString().slice(0, 10)}.`].join(
      '\n\n',
    ),
  };
}

function foldersText([first, ...others]: readonly string[]): string {
  if (first === undefined)
    return 'No folder is open: you have no file tools. Say so when a request needs files.';
  const more = others.length === 0 ? '' : `\nOther workspace folders: ${others.join(', ')}`;
  return `Workspace folder: ${first}${more}\nGive paths relative to the workspace folder.`;
}
