import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { createFindFile } from '../chat/createFindFile.ts';
import { labelOfUri } from '../chat/readReferences.ts';
import { readCommandLink, type LinkCommand } from '../chat/trustedMarkdown.ts';
import type { CommandArguments, CommandId } from '../commandTable.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import type { ChatItem } from '../../gateway/chatPage/chatViewMessages.ts';
import { buttonHref } from './viewTurns.ts';

/** The links of the items. */
interface ItemLinks {
  /** Names of files in inline code become links, where there is such a file. */
  linkFiles(): Promise<void>;
  /** Opens a link of an item, or runs it. @throws PincerError `file_not_found` */
  follow(id: string, href: string): Promise<void>;
}

/** What a link does that its view carries out itself, by the command that it names. */
type OwnLinks = {
  readonly [Id in LinkCommand]?: (
    argument: Id extends CommandId ? CommandArguments[Id] : undefined,
  ) => unknown;
};

interface ItemLinksParts {
  readonly items: ChatItems;
  /** What the button of an item does. */
  readonly buttons: ReadonlyMap<string, vscode.Command>;
  readonly own: OwnLinks;
}

export function createItemLinks({ items, buttons, own }: ItemLinksParts): ItemLinks {
  const run = async (id: string, given: readonly unknown[]): Promise<void> => {
    const here = Object.hasOwn(own, id)
      ? (own[id as LinkCommand] as (argument: unknown) => unknown)
      : undefined;
    await (here === undefined ? vscode.commands.executeCommand(id, ...given) : here(given[0]));
  };
  return {
    async linkFiles() {
      const findFile = createFindFile();
      for (const item of items.all().slice(-maxLinked)) {
        if (item.kind !== 'answer' || item.files.length > 0) continue;
        const names = new Set([...item.markdown.matchAll(namedFile)].map((match) => match[1] ?? ''));
        const found: string[] = [];
        for (const name of names) if ((await findFile(name)) !== undefined) found.push(name);
        // Another conversation may stand there by now.
        if (found.length > 0 && items.get(item.id) === item) items.put({ ...item, files: found });
      }
    },
    async follow(id, href) {
      const item = items.get(id);
      const button = href === buttonHref ? buttons.get(id) : undefined;
      if (button !== undefined) {
        await run(button.command, (button.arguments ?? []) as readonly unknown[]);
        return;
      }
      // Threat: a model or a plugin writes a link that looks like one of ours. Only lines of our own run commands.
      const command = item?.kind === 'note' ? readCommandLink(href) : undefined;
      if (command !== undefined) {
        await run(command.id, command.given);
        return;
      }
      if (/^https?:/iu.test(href)) {
        await vscode.env.openExternal(vscode.Uri.parse(href, true));
        return;
      }
      const isChanged = item?.kind === 'note' && item.file === href;
      const [, path = '', line = '1'] = isChanged ? [href, href] : (/^([^#]*)(?:#L(\d+))?/u.exec(href) ?? []);
      const uri = isChanged ? vscode.Uri.file(path) : await createFindFile()(decoded(path));
      if (uri === undefined)
        throw new PincerError('file_not_found', vscode.l10n.t('This workspace has no file {0}.', path));
      const at = new vscode.Position(Math.max(0, Number(line) - 1), 0);
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    },
  };
}

/**
 * The page takes no address of a file: those of the workspace become paths in it, which are looked for there alone. A changed file is named by
 * its path, as in the calls: others may have the same name.
 */
export function withPaths(item: ChatItem): ChatItem {
  if (item.kind === 'note' && item.file !== undefined)
    return { ...item, name: labelOfUri(vscode.Uri.file(item.file)) };
  if (item.kind !== 'answer') return item;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const markdown = folders.reduce(
    (text, { uri }) => text.replaceAll(`](${uri.with({ scheme: 'file', authority: '' }).toString()}/`, ']('),
    item.markdown,
  );
  return markdown === item.markdown ? item : { ...item, markdown };
}

/** Addresses have `%20` for a space; what can't be read so is a name as it stands. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** How many of the newest items are looked through for names of files. */
const maxLinked = 20;
/** `` `src/main.ts` ``, `` `src/main.ts:12` `` */
const namedFile = /`([\w./-]+\.\w{1,8})(?::\d+)?`/gu;
