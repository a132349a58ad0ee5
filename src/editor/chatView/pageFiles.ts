// Threat: a browser that a person has let in names a file of the machine as an attachment, and the model reads it out. So from there counts
// what the page was offered, which are files of the workspace, and what it has sent itself.
// Threat: what is dragged out of a page of another program says of itself what it is, the file type of VS Code included, and names a file of
// the machine under an innocent picture. So whoever drops what is no file of the workspace is shown its whole path first.
import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { createUploads, isUpload } from '../../gateway/chatPage/uploads.ts';
import { maxUri, type Offer, type ToChatPage } from '../../gateway/chatPage/chatViewMessages.ts';
import { imageTypeOf } from '../../tools/core/imageTypeOf.ts';
import { askModal } from '../askModal.ts';
import { labelOfUri } from '../chat/readReferences.ts';
import type { SentFile } from './viewTurns.ts';

interface PageFilesParts {
  readonly isRemote: boolean;
  readonly tell: (message: ToChatPage) => void;
  readonly warn: (markdown: string) => void;
}

/** What a page attaches to messages. */
interface PageFiles {
  /** Files that the page was offered. */
  offered(offers: readonly Offer[]): void;
  /** Files that were dropped on the page of VS Code, by their addresses. */
  attach(uris: readonly string[]): Promise<void>;
  /** A file that the page sends; without bytes where they were too many. */
  upload(name: string, base64: string): void;
  /** What a message names; what it may not name, or is gone, is told of. */
  resolve(uris: readonly string[]): readonly SentFile[];
}

export function createPageFiles({ isRemote, tell, warn }: PageFilesParts): PageFiles {
  const known = new Set<string>();
  const uploads = createUploads(imageTypeOf);
  return {
    offered(offers) {
      for (const { value } of offers) known.add(value);
    },
    async attach(uris) {
      if (isRemote) return;
      const all = uris.map((uri) => ({ uri, value: vscode.Uri.parse(uri) }));
      const foreign = all.filter(({ value }) => !isOfWorkspace(value));
      const isWanted = foreign.length === 0 || (await askToAttach(foreign.map(({ value }) => value)));
      const wanted = all.filter((each) => isWanted || !foreign.includes(each));
      tell({
        type: 'attached',
        attached: wanted.map(({ uri, value }) => ({ uri, label: labelOfUri(value) })),
      });
    },
    upload(name, base64) {
      const label = escapeMarkdown(inertLine(name, 120));
      const file = base64 === '' ? undefined : uploads.add(name, Buffer.from(base64, 'base64'));
      if (file !== undefined) tell({ type: 'attached', attached: [{ uri: file.uri, label: file.label }] });
      else if (base64 === '')
        warn(vscode.l10n.t('{0} is empty, or too large to be sent from here: 1.3 MB at most.', label));
      else warn(vscode.l10n.t('{0} is neither text nor an image that models accept.', label));
    },
    resolve: (uris) =>
      uris.flatMap((uri): readonly SentFile[] => {
        const file = uploads.get(uri);
        if (file !== undefined) return [file];
        // One that a page has sent is gone with the window that kept it.
        if (known.has(uri) || (!isRemote && !isUpload(uri))) {
          const value = vscode.Uri.parse(uri);
          return [{ uri, label: labelOfUri(value), value }];
        }
        warn(vscode.l10n.t('A file is no longer there: attach it again.'));
        return [];
      }),
  };
}

function isOfWorkspace(uri: vscode.Uri): boolean {
  const leadsUp = /(?:^|[/\\])\.\.?(?:[/\\]|$)/u.test(uri.path);
  return !leadsUp && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

async function askToAttach(uris: readonly vscode.Uri[]): Promise<boolean> {
  const paths = uris.map((uri) => (uri.scheme === 'file' ? uri.fsPath : uri.toString(true)));
  return await askModal(
    vscode.l10n.t('Attach a file from outside this workspace?'),
    paths.map((path) => inertLine(path, maxUri)).join('\n'),
    vscode.l10n.t('Attach'),
  );
}
