import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { MemoryHit } from '../../memory/memory.ts';
import { documentOf } from './sessionDocuments.ts';

/** Shows an editor and leaves the focus where it is. */
const quietly = { preview: true, preserveFocus: true } as const;

/** Passages shown in the editor while a search goes on, and the way back to what was there. */
interface Previews extends Disposable {
  /** Shows it soon, and takes no focus; the last one counts. */
  show(hit: MemoryHit): void;
  /** Opens it for good, with the cursor at its first line. */
  open(hit: MemoryHit): Promise<void>;
  /** Brings back the editors as they were. */
  restore(): Promise<void>;
}

/** Who runs down a list does not want each file opened. Milliseconds. */
const pauseMs = 120;

export function createPreviews(warn: (problem: string) => void): Previews {
  const before = rememberEditors();
  const highlight = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  let wanted: MemoryHit | undefined;
  /** What is being opened: going back waits for it. */
  let showing: Promise<void> = Promise.resolve();

  const showNow = async (hit: MemoryHit): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(documentOf(hit));
    if (wanted !== hit) return;
    const editor = await vscode.window.showTextDocument(document, { ...quietly, viewColumn: before.column });
    const range = document.validateRange(new vscode.Range(hit.startLine - 1, 0, hit.endLine - 1, 0));
    for (const each of vscode.window.visibleTextEditors) each.setDecorations(highlight, []);
    editor.setDecorations(highlight, [range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
  const timer = createTimer(pauseMs, () => {
    if (wanted === undefined) return;
    // A file that has gone meanwhile is no preview; opening it says so.
    showing = showNow(wanted).catch((error: unknown) => warn(errorMessage(error)));
  });
  const stop = async (): Promise<void> => {
    timer.stop();
    wanted = undefined;
    await showing;
  };

  return {
    show(hit) {
      wanted = hit;
      timer.restart();
    },
    async open(hit) {
      await stop();
      const start = hit.startLine - 1;
      const editor = await vscode.window.showTextDocument(documentOf(hit), {
        viewColumn: before.column,
        selection: new vscode.Range(start, 0, start, 0),
      });
      editor.revealRange(
        new vscode.Range(start, 0, start, 0),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
      await before.closeOthers(editor.document.uri);
    },
    async restore() {
      await stop();
      await before.closeOthers();
      await before.bringBack();
    },
    dispose() {
      timer.dispose();
      wanted = undefined;
      highlight.dispose();
    },
  };
}

interface EditorsBefore {
  readonly column: vscode.ViewColumn;
  /** Closes the editors that were opened since, but for this one. */
  closeOthers(kept?: vscode.Uri): Promise<void>;
  bringBack(): Promise<void>;
}

/** The tabs of the active group, and where the user stands in the active one. */
function rememberEditors(): EditorsBefore {
  const group = vscode.window.tabGroups.activeTabGroup;
  const column = group.viewColumn;
  const known = new Set(group.tabs.map(keyOf));
  const preview = uriOf(group.tabs.find(({ isPreview }) => isPreview));
  const active = group.activeTab;
  const editor = vscode.window.activeTextEditor;
  const [top] = editor?.visibleRanges ?? [];
  const tabsNow = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === column)?.tabs ?? [];

  return {
    column,
    async closeOthers(kept) {
      const opened = tabsNow().filter(
        (tab) => !known.has(keyOf(tab)) && !tab.isDirty && uriOf(tab) !== undefined,
      );
      const others = opened.filter((tab) => uriOf(tab)?.toString() !== kept?.toString());
      if (others.length > 0) await vscode.window.tabGroups.close(others, true);
    },
    async bringBack() {
      const isGone =
        preview !== undefined && !tabsNow().some((tab) => uriOf(tab)?.toString() === preview.toString());
      if (isGone) await vscode.window.showTextDocument(preview, { ...quietly, viewColumn: column });
      const uri = uriOf(active);
      if (uri === undefined || active === undefined) return;
      const shown = await vscode.window.showTextDocument(uri, {
        preview: active.isPreview,
        preserveFocus: true,
        viewColumn: column,
      });
      if (editor?.document.uri.toString() !== uri.toString()) return;
      shown.selections = editor.selections;
      if (top !== undefined) shown.revealRange(top, vscode.TextEditorRevealType.AtTop);
    },
  };
}

function uriOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  return tab?.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

function keyOf(tab: vscode.Tab): string {
  return uriOf(tab)?.toString() ?? tab.label;
}
