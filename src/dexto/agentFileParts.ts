// Threat: an agent file of the workspace names a file that is none of its business, and its text goes to a model. Only texts that
// really lie in the workspace or beside the agent file are read, as rules files are.
import { dirname } from 'node:path';
import type { TextCache } from '../agent/prompt/createTextCache.ts';
import type { AgentFile, PromptContributor } from './agentFile/agentFile.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { Clock } from '../host/ports.ts';
import { isInside } from '../plugins/discover/isInside.ts';

interface AgentFilePartsDeps {
  readonly texts: TextCache;
  readonly clock: Pick<Clock, 'now'>;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  readonly report: (diagnostic: Diagnostic) => void;
}

/** The `systemPrompt` of an agent file as parts of the prompt; what can't be read is reported and left out. */
export async function agentFileParts(
  deps: AgentFilePartsDeps,
  file: AgentFile,
): Promise<readonly PromptPart[]> {
  const texts = await Promise.all(file.systemPrompt.map((each) => textOf(deps, file, each)));
  return file.systemPrompt.flatMap(({ id }, index): PromptPart[] => {
    const text = texts[index]?.trim() ?? '';
    if (text === '') return [];
    const owner = { kind: 'file', path: file.path } as const;
    return [{ id: `agent-file:${id}`, title: `Agent file: ${id}`, owner, text, place: 'system' }];
  });
}

async function textOf(
  deps: AgentFilePartsDeps,
  file: AgentFile,
  contributor: PromptContributor,
): Promise<string> {
  switch (contributor.type) {
    case 'static':
      return contributor.content;
    case 'dynamic':
      return dynamicText(deps, file, contributor);
    case 'file': {
      const texts: string[] = [];
      for (const path of contributor.files) texts.push(await fileText(deps, file, path));
      return texts.filter((text) => text !== '').join('\n\n');
    }
  }
}

function dynamicText(
  { clock, report }: AgentFilePartsDeps,
  file: AgentFile,
  { id, source }: Extract<PromptContributor, { type: 'dynamic' }>,
): string {
  if (source === 'date' || source === 'dateTime')
    return `Current date and time: ${new Date(clock.now()).toISOString()}`;
  report({
    level: 'info',
    code: 'agent_file_key_idle',
    message: `systemPrompt: nothing here stands for the source "${source}" of ${id}.`,
    source: file.path,
  });
  return '';
}

async function fileText(
  { texts, folders, report }: AgentFilePartsDeps,
  file: AgentFile,
  path: string,
): Promise<string> {
  const places = file.origin === 'user' ? [dirname(path)] : [...folders(), file.dir];
  const folder = places.find((place) => isInside(place, path));
  const read =
    folder === undefined
      ? ({ status: 'refused', why: 'it lies outside of the workspace' } as const)
      : await texts.read(folder, path);
  if (read.status === 'text') return read.text;
  report({
    level: 'warn',
    code: 'agent_file_prompt_unread',
    message: `systemPrompt: ${path} was not read: ${read.status === 'missing' ? 'it is not there' : read.why}.`,
    hint: 'Correct the path in the agent file.',
    source: file.path,
  });
  return '';
}
