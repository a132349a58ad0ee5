import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { MemoryHit } from '../../memory/memory.ts';
import { quietly, rememberEditors } from './rememberEditors.ts';
import { documentOf } from './sessionDocuments.ts';

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
