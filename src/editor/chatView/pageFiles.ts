// Threat: a browser that a person has let in names a file of the machine as an attachment, and the model reads it out. So from there counts
// what the page was offered, which are files of the workspace, and what it has sent itself.
import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { createGivenFiles, isGiven } from '../../gateway/chatPage/givenFiles.ts';
import { imageTypeOf } from '../../tools/core/imageTypeOf.ts';
import { labelOfUri } from '../chat/readReferences.ts';
import type { Offer, ToChatPage } from '../../gateway/chatPage/chatViewMessages.ts';
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
  attach(uris: readonly string[]): void;
  /** A file that the page sends; without bytes where they were too many. */
  give(name: string, base64: string): void;
  /** What a message names; what it may not name, or is gone, is told of. */
  resolve(uris: readonly string[]): readonly SentFile[];
}

export function createPageFiles({ isRemote, tell, warn }: PageFilesParts): PageFiles {
  const known = new Set<string>();
  const given = createGivenFiles(imageTypeOf);
  return {
    offered(offers) {
      for (const { value } of offers) known.add(value);
    },
    attach(uris) {
      if (isRemote) return;
      const attached = uris.map((uri) => ({ uri, label: labelOfUri(vscode.Uri.parse(uri)) }));
      tell({ type: 'attached', attached });
    },
    give(name, base64) {
      const label = escapeMarkdown(inertLine(name, 120));
      const file = base64 === '' ? undefined : given.add(name, Buffer.from(base64, 'base64'));
      if (file !== undefined) tell({ type: 'attached', attached: [{ uri: file.uri, label: file.label }] });
      else if (base64 === '')
        warn(vscode.l10n.t('{0} is empty, or too large to be sent from here: 1.3 MB at most.', label));
      else warn(vscode.l10n.t('{0} is neither text nor an image that models take.', label));
    },
    resolve: (uris) =>
      uris.flatMap((uri): readonly SentFile[] => {
        const file = given.get(uri);
        if (file !== undefined) return [file];
        // One that a page has sent is gone with the window that kept it.
        if (known.has(uri) || (!isRemote && !isGiven(uri))) {
          const value = vscode.Uri.parse(uri);
          return [{ uri, label: labelOfUri(value), value }];
        }
        warn(vscode.l10n.t('A file is no longer there: attach it again.'));
        return [];
      }),
  };
}
