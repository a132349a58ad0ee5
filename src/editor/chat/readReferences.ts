import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { failedAttachment, type Attachment, type AttachmentProblem } from './attachments/attachment.ts';
import { listAttachment, textAttachment, contextPart } from './attachments/textAttachment.ts';
import { quoteText } from '../../agent/prompt/quoteFile.ts';
import { imageTypeOf } from '../../tools/core/imageTypeOf.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { FileSystem } from '../../host/ports.ts';
import { type IgnoreRules, parseIgnoreFile } from '../../memory/files/parseIgnoreFile.ts';

const maxListedNames = 500;

const maxListedDepth = 4;

const maxIgnoreFileBytes = 256 * 1024;

const closedFolders = new Set(['.git', '.hg', '.svn', 'node_modules']);

const maxCharsInAll = 400_000;

const maxImages = 10;

const maxImageBytes = 5_000_000;

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

/** An image that the user attached; what its bytes say counts, not its name. Pure. */
export function imageAttachment(label: string, bytes: Uint8Array): Attachment {
  if (bytes.length > maxImageBytes)
    return failedAttachment({ kind: 'too-large', label, bytes: bytes.length });
  const mimeType = imageTypeOf(bytes);
  if (mimeType === undefined) return failedAttachment({ kind: 'no-image', label });
  return {
    parts: [
      contextPart(
        quoteText('attachment', { name: label, kind: 'image' }, `[The image follows: ${mimeType}]`),
      ),
      { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType },
    ],
    problems: [],
  };
}

/** True for a name that images of the kinds models take usually have. */
function isImageName(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/iu.test(name);
}

/** Everything that the user attached to one message. */
interface Attachments {
  readonly parts: readonly (TextPart | ImagePart)[];
  /** Absolute paths of attached files and folders, each once. */
  readonly paths: readonly string[];
  readonly problems: readonly AttachmentProblem[];
}

/**
 * Puts attachments one after the other; what there is no room for is left out whole and told. The panel also attaches what is
 * selected in the editor by itself: what says the same as another one counts once. Pure.
 */
export function joinAttachments(
  attachments: readonly (Attachment & { readonly label: string })[],
): Attachments {
  const parts: (TextPart | ImagePart)[] = [];
  const problems: AttachmentProblem[] = [];
  const seen = new Set<string>();
  let chars = 0;
  let images = 0;
  for (const each of attachments) {
    const same = JSON.stringify([each.label, each.parts, each.problems]);
    if (seen.has(same)) continue;
    seen.add(same);
    const size = each.parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
    const count = each.parts.filter((part) => part.type === 'image').length;
    if (chars + size > maxCharsInAll || images + count > maxImages) {
      problems.push({ kind: 'no-room', label: each.label });
      continue;
    }
    chars += size;
    images += count;
    parts.push(...each.parts);
    problems.push(...each.problems);
  }
  const paths = attachments.flatMap(({ path }) => (path === undefined ? [] : [path]));
  return { parts, paths: [...new Set(paths)], problems };
}

/**
 * The tools that the user named with `#`: the model is asked to use them. What we don't have, such as a tool of another agent, is
 * told to the user. Pure.
 */
export function toolAttachment(named: readonly string[], offered: readonly string[]): Attachment {
  const found = new Set<string>();
  const unknown = new Set<string>();
  for (const name of named) {
    const own = offered.find((each) => each === name);
    if (own === undefined) unknown.add(inertLine(name, 80));
    else found.add(own);
  }
  const text = `The user asks you to use ${found.size === 1 ? 'this tool' : 'these tools'}: ${[...found].join(', ')}.`;
  return {
    parts: found.size === 0 ? [] : [{ type: 'text', text, isContext: true }],
    problems: [...unknown].map((label) => ({ kind: 'unknown-tool', label })),
  };
}

interface FolderListing {
  /** Below the folder, with forward slashes; folders end with one. */
  readonly names: readonly string[];
  readonly isCut: boolean;
}

interface Level {
  readonly rules: IgnoreRules;
  readonly depth: number;
}

/**
 * What is in a folder and, a few levels deep, below it: the upper levels first, so that a cut leaves out the deepest. What git
 * ignores is left out, and no link is entered. `isCaseSensitive` is the file system's. @throws PincerError `io_*`
 */
export async function listFolder(
  fs: FileSystem,
  folder: string,
  isCaseSensitive: boolean,
): Promise<FolderListing> {
  const names: string[] = [];
  let isCut = false;
  let level: { readonly path: readonly string[]; readonly ignores: readonly Level[] }[] = [
    { path: [], ignores: [] },
  ];
  for (let depth = 1; depth <= maxListedDepth && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, ignores } of level) {
      const entries = await fs.readDirectory(join(folder, ...path));
      const hasIgnore = entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
      const text = hasIgnore
        ? await fs.readText(join(folder, ...path, '.gitignore'), maxIgnoreFileBytes)
        : '';
      const all = hasIgnore
        ? [...ignores, { rules: parseIgnoreFile(text, isCaseSensitive), depth: path.length }]
        : ignores;
      for (const { name, kind } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const below = [...path, name];
        const isFolder = kind === 'directory';
        if ((isFolder && closedFolders.has(name)) || isIgnored(all, below, isFolder)) continue;
        if (names.length >= maxListedNames) return { names: names.sort(), isCut: true };
        names.push(below.join('/') + (isFolder ? '/' : ''));
        if (isFolder) next.push({ path: below, ignores: all });
      }
    }
    level = next;
    isCut = depth === maxListedDepth && next.length > 0;
  }
  return { names: names.sort(), isCut };
}

function isIgnored(ignores: readonly Level[], names: readonly string[], isFolder: boolean): boolean {
  for (const { rules, depth } of ignores.toReversed()) {
    const said = rules.decide(names.slice(depth), isFolder);
    if (said !== undefined) return said;
  }
  return false;
}
