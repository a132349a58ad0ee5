// Threat: the user's work is lost because a file is changed behind an editor that holds unsaved text, or because saving fails
// half way. What is open is read and changed in the editor, where Undo brings the old text back, and when anything fails, the
// old texts are put back.
import { PincerError } from '../../base/errors.ts';
import type { ToolCall } from '../../contracts/tool.ts';
import { staleEdit } from '../../tools/staleEdit.ts';
import { byteOrderMark } from '../../tools/textEncoding.ts';
import type { AppliedChange, TextChange, WorkspaceFiles } from '../../tools/workspaceFiles.ts';
import type { OpenDocument, OpenDocuments } from './openDocuments.ts';

/** A change of an open document, with what to put back. */
interface DocumentChange {
  readonly document: OpenDocument;
  readonly before: string;
  readonly after: string;
  /** The document's own text before, without a byte order mark. */
  readonly old: string;
}

/**
 * Files as the user has them: unsaved text counts instead of the disk, and what is open is changed in the editor. All else is
 * the disk's.
 */
export function createDocumentFiles(disk: WorkspaceFiles, documents: OpenDocuments): WorkspaceFiles {
  const readText = async (path: string, root?: string): Promise<string | undefined> => {
    const document = documents.find(path);
    return document?.isDirty === true ? storedText(document) : await disk.readText(path, root);
  };
  return {
    readText,
    unsavedPaths: () => documents.unsaved(),
    readBytes: (path, maxBytes, root) => disk.readBytes(path, maxBytes, root),
    async apply(changes, call) {
      const inEditor = changes.flatMap((change) => toDocumentChange(documents, change));
      const paths = changes.map(({ path }) => path).filter((path) => documents.find(path) !== undefined);
      if (paths.length === 0) return await disk.apply(changes, call);
      for (const { path, before } of changes) {
        if (((await readText(path)) ?? null) !== before) throw staleEdit(path, 'changed');
      }
      return await documents.asAgent(paths, () => applyAll(disk, documents, { changes, inEditor, call }));
    },
  };
}

/** What an open document is to become; a deletion is the disk's business, and so is what only seems to be open. */
function toDocumentChange(
  documents: OpenDocuments,
  { path, before, after }: TextChange,
): readonly DocumentChange[] {
  const document = documents.find(path);
  if (document === undefined || before === null || after === null) return [];
  return [{ document, before, after: withoutMark(after), old: document.text }];
}

interface Plan {
  readonly changes: readonly TextChange[];
  readonly inEditor: readonly DocumentChange[];
  readonly call: ToolCall;
}

/** The disk comes last: it makes all of its changes or none, so that only the editor ever has to be taken back. */
async function applyAll(
  disk: WorkspaceFiles,
  documents: OpenDocuments,
  { changes, inEditor, call }: Plan,
): Promise<readonly AppliedChange[]> {
  const isInEditor = (path: string): boolean => inEditor.some(({ document }) => document.path === path);
  const saved: OpenDocument[] = [];
  try {
    await setTexts(documents, inEditor);
    for (const { document } of inEditor) {
      if (!(await saveOf(document))) throw unsaved(document);
      saved.push(document);
    }
    const onDisk = changes.filter(({ path }) => !isInEditor(path));
    const applied =
      onDisk.length === 0 ? [] : await disk.apply(await withSavedText(disk, documents, onDisk), call);
    const stored = new Map(applied.map((each) => [each.path, each]));
    const results: AppliedChange[] = [];
    for (const { path } of changes)
      results.push(stored.get(path) ?? { path, text: await storedAfterSave(disk, documents, path) });
    return results;
  } catch (error) {
    await putBack(documents, inEditor, saved, error);
    throw error;
  }
}

/** How often a document is asked to save. */
const saveTries = 3;

/**
 * VS Code drops a save, and says nothing, where something that takes part in it was cancelled (a code action, a formatter), as happens on
 * a busy machine. Such a document is dirty as before and the next try saves it; one in conflict with the disk fails each time.
 */
async function saveOf(document: OpenDocument): Promise<boolean> {
  for (let tries = 1; tries <= saveTries; tries += 1) {
    if (await document.save()) return true;
    if (!document.isDirty) return false;
  }
  return false;
}

async function setTexts(documents: OpenDocuments, inEditor: readonly DocumentChange[]): Promise<void> {
  if (inEditor.length === 0) return;
  if (await documents.setTexts(inEditor.map(({ document, after }) => ({ document, text: after })))) return;
  const paths = inEditor.map(({ document }) => document.path).join(', ');
  throw new PincerError('io_failed', `The editor refused to change ${paths}; nothing was written.`, {
    hint: 'Read the file again: it may have changed at this moment.',
  });
}

/**
 * A document that is deleted goes with what the user has not saved, as they saw and agreed to; saved first, so that the editor
 * lets go of it.
 */
async function withSavedText(
  disk: WorkspaceFiles,
  documents: OpenDocuments,
  changes: readonly TextChange[],
): Promise<readonly TextChange[]> {
  const ready: TextChange[] = [];
  for (const change of changes) {
    const document = documents.find(change.path);
    if (document?.isDirty !== true || change.after !== null) ready.push(change);
    else if (await saveOf(document))
      ready.push({ ...change, before: (await disk.readText(change.path)) ?? null });
    else throw unsaved(document);
  }
  return ready;
}

/** The file itself says what saving made of it; one in an encoding that is not ours is told as the editor has it. */
async function storedAfterSave(
  disk: WorkspaceFiles,
  documents: OpenDocuments,
  path: string,
): Promise<string | null> {
  try {
    return (await disk.readText(path)) ?? null;
  } catch (error) {
    const document = documents.find(path);
    if (document === undefined || !(error instanceof PincerError) || error.code !== 'file_not_utf8')
      throw error;
    return storedText(document);
  }
}

async function putBack(
  documents: OpenDocuments,
  inEditor: readonly DocumentChange[],
  saved: readonly OpenDocument[],
  cause: unknown,
): Promise<void> {
  const changed = inEditor.filter(({ document, old }) => document.text !== old);
  const isBack =
    changed.length === 0 ||
    (await documents.setTexts(changed.map(({ document, old }) => ({ document, text: old }))));
  const left = isBack ? [] : changed.map(({ document }) => document.path);
  for (const document of isBack ? saved : []) if (!(await saveOf(document))) left.push(document.path);
  if (left.length === 0) return;
  throw new PincerError(
    'edit_not_undone',
    `A change failed in the middle, and these files could not be put back: ${left.join(', ')}.`,
    { hint: 'Tell the user at once: Undo in their editors brings the old texts back.', cause },
  );
}

/** The document's text as its file stores it. */
function storedText({ text, hasByteOrderMark }: OpenDocument): string {
  return hasByteOrderMark ? byteOrderMark + text : text;
}

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

function unsaved({ path }: OpenDocument): PincerError {
  return new PincerError('io_failed', `VS Code could not save ${path}; nothing was written.`, {
    hint: 'Ask the user to look at the editor of this file.',
  });
}
