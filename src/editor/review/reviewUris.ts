import * as vscode from 'vscode';
import type { ReviewState } from './createReviewState.ts';
import type { ReviewSide } from './hunkLines.ts';

/** Left and right side of a proposed edit. Both are virtual: the disk is untouched until it is accepted. */
const schemes: Readonly<Record<ReviewSide, string>> = { before: 'pincer-current', after: 'pincer-proposed' };
export const proposedScheme = schemes.after;

/** What a document of a review shows; without `file` it is the editor of all its files. */
interface ReviewAddress {
  readonly approvalId: string;
  readonly file?: number;
  readonly side: ReviewSide;
}

/** One side of one file. Its path keeps the file's name and language; the query says which edit of which request it is. */
export function sideUri({ request, files }: ReviewState, file: number, side: ReviewSide): vscode.Uri {
  const path = files[file]?.edit.path ?? '';
  return vscode.Uri.file(path).with({ scheme: schemes[side], query: `${request.id}/${String(file)}` });
}

/** The editor of all files of a request. */
export function requestUri({ request }: ReviewState): vscode.Uri {
  return vscode.Uri.from({ scheme: proposedScheme, path: '/', query: request.id });
}

export function readReviewUri(uri: vscode.Uri): ReviewAddress | undefined {
  const side = uri.scheme === schemes.after ? 'after' : uri.scheme === schemes.before ? 'before' : undefined;
  const [approvalId, file] = uri.query.split('/');
  if (side === undefined || approvalId === undefined) return undefined;
  return { approvalId, side, ...(file === undefined ? {} : { file: Number(file) }) };
}

/** Gives the documents of the reviews that wait; another one is empty. */
export function provideSides(find: (approvalId: string) => ReviewState | undefined): vscode.Disposable {
  const documents: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent(uri) {
      const address = readReviewUri(uri);
      if (address?.file === undefined) return '';
      return find(address.approvalId)?.files[address.file]?.edit[address.side] ?? '';
    },
  };
  return vscode.Disposable.from(
    ...Object.values(schemes).map((scheme) =>
      vscode.workspace.registerTextDocumentContentProvider(scheme, documents),
    ),
  );
}
