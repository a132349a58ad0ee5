// Threat: a browser that a person has let in, or whoever sits at it, gets more from the page than was agreed to: an /approve for calls that
// it never showed, a link that opens something in VS Code. So commands are those of this list, and items are shown without what they open.
import { escapeMarkdown } from '../../base/text.ts';
import type { ChatItem } from '../../gateway/chatPage/chatViewMessages.ts';

/** What may be typed from afar: what only tells something, or changes nothing but the page's own conversation. */
const remoteCommands: readonly string[] = ['tools', 'plugins', 'status', 'compact', 'new', 'reset', 'stop'];

/** Whether a slash command of our own may be typed from afar. Pure. */
export function isRemoteCommand(name: string): boolean {
  return remoteCommands.includes(name);
}

/** The item as a page elsewhere shows it: without what opens something in VS Code. Undefined where nothing is left. Pure. */
export function toRemoteItem(item: ChatItem): ChatItem | undefined {
  switch (item.kind) {
    case 'answer':
      return { ...item, files: [] };
    case 'step': {
      const { opens: _opens, output: _output, job: _job, ...step } = item;
      return step;
    }
    case 'note': {
      const { file, name = '', markdown, job: _job, ...note } = item;
      // A line that is nothing but buttons or links is for VS Code alone.
      if (file === undefined && markdown !== '' && /^[\s·]*$/u.test(markdown.replace(commandLinks, '')))
        return undefined;
      const told = markdown.replace(offeredLinks, '').replace(commandLinks, '$1');
      return { ...note, markdown: [told, escapeMarkdown(name)].join(' ').trim() };
    }
    default:
      return item;
  }
}

/** `[title](command:…)`; a title may have brackets behind a backslash. */
const commandLinks = /\[((?:\\.|[^\]\\])*)\]\(command:[^)]*\)/gu;
/** What a line ends with that offers something to do: `: [title](command:…) · [title](command:…)` */
const offeredLinks = /:(?:[\s·]*\[(?:\\.|[^\]\\])*\]\(command:[^)]*\))+\s*$/u;
