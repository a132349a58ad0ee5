import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { failedAttachment, type Attachment } from './attachments/attachment.ts';
import { imageAttachment, isImageName, maxImageBytes } from './attachments/imageAttachment.ts';
import { joinAttachments, type Attachments } from './attachments/joinAttachments.ts';
import { listFolder } from './attachments/listFolder.ts';
import { listAttachment, textAttachment } from './attachments/textAttachment.ts';
import { toolAttachment } from './attachments/toolAttachment.ts';

/** Larger files are not loaded into the editor. */
const maxTextBytes = 20_000_000;

type ReferencesRequest = Pick<vscode.ChatRequest, 'references' | 'toolReferences'>;

/**
 * What the user attached with `#`: files with their unsaved text, selections, symbols, folders, images, plain values, and tools
 * to use. Never rejects: what could not be attached is among the problems. `toolNames` is asked only where tools were named.
 */
export async function readReferences(
  runtime: Pick<Runtime, 'host'>,
  { references, toolReferences }: ReferencesRequest,
  toolNames: () => readonly string[],
): Promise<Attachments> {
  const read = references.map(async (reference) => {
    const label = labelOfReference(reference);
    try {
      return { ...(await readReference(runtime, reference, label)), label };
    } catch (error) {
      runtime.host.log.write('warn', `Attachment ${label}: ${errorMessage(error)}`);
      return { ...failedAttachment({ kind: 'unreadable', label, why: errorMessage(error) }), label };
    }
  });
  const named = toolReferences.map(({ name }) => name);
  const tools =
    named.length === 0 ? [] : [{ ...toolAttachment(named, toolNames()), label: named.join(', ') }];
  return joinAttachments([...(await Promise.all(read)), ...tools]);
}

async function readReference(
  runtime: Pick<Runtime, 'host'>,
  reference: vscode.ChatPromptReference,
  label: string,
): Promise<Attachment> {
  const value: unknown = reference.value;
  if (typeof value === 'string') return textAttachment({ label, text: value });
  if (value instanceof vscode.Uri) return await readUri(runtime, value, label);
  const location = locationIn(value);
  if (location !== undefined) return await readText(location.uri, label, location.range);
  if (isBinary(value)) return imageAttachment(label, await value.data());
  return failedAttachment({ kind: 'unknown-kind', label });
}

async function readUri(runtime: Pick<Runtime, 'host'>, uri: vscode.Uri, label: string): Promise<Attachment> {
  // A document that was never saved has no file.
  if (uri.scheme === 'untitled') return await readText(uri, label);
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) return await readFolder(runtime, uri, label);
  const limit = isImageName(uri.path) ? maxImageBytes : maxTextBytes;
  if (size > limit) return { ...failedAttachment({ kind: 'too-large', label, bytes: size }), ...pathOf(uri) };
  if (isImageName(uri.path))
    return { ...imageAttachment(label, await vscode.workspace.fs.readFile(uri)), ...pathOf(uri) };
  return await readText(uri, label);
}

/** Reads through the editor, so that unsaved text counts. */
async function readText(uri: vscode.Uri, label: string, range?: vscode.Range): Promise<Attachment> {
  const document = await vscode.workspace.openTextDocument(uri);
  const input = { label, text: document.getText(), isUnsaved: document.isDirty };
  return { ...textAttachment(range === undefined ? input : { ...input, range }), ...pathOf(uri) };
}

async function readFolder(
  { host }: Pick<Runtime, 'host'>,
  uri: vscode.Uri,
  label: string,
): Promise<Attachment> {
  if (uri.scheme !== 'file') {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    const names = entries.map(([name, type]) => (type === vscode.FileType.Directory ? `${name}/` : name));
    return listAttachment(label, names.slice(0, 500), names.length > 500);
  }
  const { names, isCut } = await listFolder(host.fs, uri.fsPath, host.platform === 'linux');
  return { ...listAttachment(label, names, isCut), ...pathOf(uri) };
}

function pathOf(uri: vscode.Uri): { readonly path?: string } {
  return uri.scheme === 'file' ? { path: uri.fsPath } : {};
}

/** A selection, or a symbol with the place where it is defined. */
function locationIn(value: unknown): vscode.Location | undefined {
  if (value instanceof vscode.Location) return value;
  return isRecord(value) && value['location'] instanceof vscode.Location ? value['location'] : undefined;
}

interface BinaryValue {
  readonly mimeType: string;
  data(): PromiseLike<Uint8Array>;
}

/** An image from the clipboard; the editor has no stable type for it. */
function isBinary(value: unknown): value is BinaryValue {
  return isRecord(value) && typeof value['mimeType'] === 'string' && typeof value['data'] === 'function';
}

function labelOfReference({ id, modelDescription, value }: vscode.ChatPromptReference): string {
  if (value instanceof vscode.Uri) return labelOfUri(value);
  const location = locationIn(value);
  if (location !== undefined) return labelOfUri(location.uri);
  if (isBinary(value)) {
    const source: unknown = (value as { readonly reference?: unknown }).reference;
    if (source instanceof vscode.Uri) return labelOfUri(source);
  }
  // The panel numbers them by the clock.
  if (id.startsWith('terminal-selection-')) return vscode.l10n.t('Terminal selection');
  return inertLine(modelDescription ?? id, 120);
}

/** The name under which people know a file. */
export function labelOfUri(uri: vscode.Uri): string {
  const label = vscode.workspace.asRelativePath(uri);
  // What lies outside of the workspace is told by its name: the rest of the path is nobody's business.
  return label === uri.fsPath || label === uri.path ? basename(uri.path) : label;
}
