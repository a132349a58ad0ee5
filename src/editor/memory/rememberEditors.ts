import * as vscode from 'vscode';

/** Shows an editor and leaves the focus where it is. */
export const quietly = { preview: true, preserveFocus: true } as const;

interface EditorsBefore {
  readonly column: vscode.ViewColumn;
  /** Closes the editors that were opened since, but for this one. */
  closeOthers(kept?: vscode.Uri): Promise<void>;
  bringBack(): Promise<void>;
}

/** The tabs of the active group, and where the user stands in the active one. */
export function rememberEditors(): EditorsBefore {
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
