import * as vscode from 'vscode';
import { fullCall } from '../../approvals/fullCall.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground } from '../registerCommand.ts';
import { setContextKey } from '../setContextKey.ts';

/** Read-only documents that hold one request each; `package.json` gives them a language that wraps long lines. */
const scheme = 'pincer-call';
const languageId = 'pincer-call';

/** Shows whole calls, and closes them once they are answered. What was decided can still be read from the history. */
export function registerWholeCalls(runtime: LazyRuntime): Disposable {
  // Those that a reload brought back belong to questions that ended with the window.
  inBackground(closeTabs(() => true));
  const outdated = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    outdated,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: outdated.event,
      provideTextDocumentContent: (uri) => documentText(runtime.peek(), uri.query),
    }),
    runtime.whenLoaded((loaded) =>
      vscode.Disposable.from(
        closeAnswered(loaded),
        noteRead(loaded),
        followActive(loaded),
        // The first line says whether a yes counts with these settings.
        onDidChangeLines(() => {
          for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) outdated.fire(uri);
        }),
      ),
    ),
  );
}

function documentText(runtime: Runtime | undefined, requestId: string): string {
  const request = findRequest(runtime, requestId);
  if (runtime === undefined || request === undefined)
    return vscode.l10n.t('This request is no longer waiting.');
  const { approvals } = runtime;
  const needsReading = approvals.pending().includes(request) && !approvals.isShownWhole(requestId, 'call');
  const hint = showsWholeLines()
    ? vscode.l10n.t('Scroll to the end of the call: it can be allowed only after that.')
    : vscode.l10n.t("You can't allow it here: your settings cut long lines.");
  // Its end is then the end of its last line.
  return `${needsReading ? `${hint}\n\n` : ''}${fullCall(request).trimEnd()}`;
}

/** Threat: settings of the workspace hide the tail of a line, and its end counts as seen. */
function showsWholeLines(): boolean {
  const editor = vscode.workspace.getConfiguration('editor', { languageId });
  const wrap = editor.get('wordWrap');
  const overrides = ['wordWrapOverride1', 'wordWrapOverride2'].map((name) => editor.get(name));
  return (
    (wrap === 'on' || wrap === 'bounded') &&
    overrides.every((each) => each === 'inherit') &&
    editor.get('stopRenderingLineAfter') === -1
  );
}

function onDidChangeLines(listener: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('editor', { languageId })) listener();
  });
}

/** A call counts as shown from when its end was on screen. */
function noteRead({ approvals }: Pick<Runtime, 'approvals'>): Disposable {
  const note = ({ document, visibleRanges }: vscode.TextEditor): void => {
    const id = requestOfWholeCall(document.uri);
    const { end } = document.lineAt(document.lineCount - 1).range;
    const isAtEnd = visibleRanges.some((range) => range.end.isAfterOrEqual(end));
    if (id !== undefined && isAtEnd && showsWholeLines()) approvals.noteShownWhole(id, 'call');
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => note(textEditor)),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(note)),
    // An editor may have drawn its lines by new settings before this host hears of them.
    onDidChangeLines(() => {
      approvals.forgetShownWhole('call');
      vscode.window.visibleTextEditors.forEach(note);
    }),
  );
}

/** The title of the editor offers a yes only where it counts. */
function followActive({ approvals }: Pick<Runtime, 'approvals'>): Disposable {
  const update = (): void => {
    const id = activeWholeCall();
    setContextKey('pincer.canAllowCall', id !== undefined && approvals.isShownWhole(id, 'call'));
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    approvals.onDidChange(update),
  );
}

function closeAnswered(runtime: Pick<Runtime, 'approvals'>): Disposable {
  let waiting = new Set<string>();
  return runtime.approvals.onDidChange(() => {
    const pending = new Set(runtime.approvals.pending().map(({ id }) => id));
    const answered = [...waiting].filter((id) => !pending.has(id));
    waiting = pending;
    if (answered.length > 0) inBackground(closeTabs((id) => answered.includes(id)));
  });
}

/** Opens the complete call of a request that waits or was decided; a yes counts everywhere once its end was on screen. */
export async function openWholeCall(request: ApprovalRequest): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: '/Whole call', query: request.id });
  await vscode.window.showTextDocument(uri, { preview: false });
}

/** The request whose whole call this is; undefined for any other document. */
export function requestOfWholeCall(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === scheme ? uri.query : undefined;
}

/** The request whose whole call has the focus, or had it last among editors. */
export function activeWholeCall(): string | undefined {
  return requestOfWholeCall(vscode.window.activeTextEditor?.document.uri);
}

export function findRequest(runtime: Runtime | undefined, id: string): ApprovalRequest | undefined {
  const { approvals } = runtime ?? {};
  return (
    approvals?.pending().find((each) => each.id === id) ??
    approvals?.history().find((each) => each.request.id === id)?.request
  );
}

async function closeTabs(isMeant: (requestId: string) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const id = tab.input instanceof vscode.TabInputText ? requestOfWholeCall(tab.input.uri) : undefined;
      return id !== undefined && isMeant(id);
    });
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
