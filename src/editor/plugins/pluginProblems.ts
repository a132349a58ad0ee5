import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { userConfigPath } from '../../config/configPaths.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { fixTitle } from './fixTexts.ts';
import { withFixes } from './planFixes.ts';
import { planProblems } from './planProblems.ts';

/** Problems stand in VS Code's Problems panel too, at the line they are about, with their remedies behind the light bulb. */
export function registerPluginProblems(runtime: LazyRuntime): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('pincer');
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => {
      const byFile = problemsOf(loaded, loaded.workspace.diagnostics());
      // As one list, so that the panel is told once and what is mended goes.
      const entries = [...byFile].map(
        ([path, problems]) => [vscode.Uri.file(path), problems.map(toVsCode)] as const,
      );
      collection.clear();
      collection.set(entries.map(([uri, problems]) => [uri, problems]));
    };
    refresh();
    return loaded.workspace.onDidChange(refresh);
  });
  const actions = vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    { provideCodeActions: (document, _range, context) => quickFixes(runtime.peek(), document, context) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
  return vscode.Disposable.from(collection, attached, actions);
}

function problemsOf(
  { plugins, workspace }: Pick<Runtime, 'plugins' | 'workspace'>,
  diagnostics: readonly Diagnostic[],
): ReadonlyMap<string, readonly Diagnostic[]> {
  return planProblems(diagnostics, plugins.plugins(), userConfigPath(workspace.home));
}

const severities: Readonly<Record<Diagnostic['level'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warn: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** Longer than any line that is shown; VS Code cuts it to the line. */
const endOfLine = 10_000;

function toVsCode(diagnostic: Diagnostic): vscode.Diagnostic {
  const line = Math.max(0, (diagnostic.line ?? 1) - 1);
  const start = diagnostic.line === undefined ? 0 : Math.max(0, (diagnostic.column ?? 1) - 1);
  const end = diagnostic.line === undefined ? 0 : endOfLine;
  const problem = new vscode.Diagnostic(
    new vscode.Range(line, start, line, end),
    shownMessage(diagnostic),
    severities[diagnostic.level],
  );
  problem.source = 'pincer';
  problem.code = diagnostic.code;
  return problem;
}

function shownMessage({ pluginId, message, hint }: Diagnostic): string {
  const who = pluginId === undefined || message.includes(pluginId) ? '' : `${pluginId}: `;
  const sentence = /[.!?]$/u.test(message) ? message : `${message}.`;
  return inertLine(`${who}${hint === undefined ? message : `${sentence} ${hint}`}`, 1_000);
}

function quickFixes(
  runtime: Runtime | undefined,
  document: vscode.TextDocument,
  context: vscode.CodeActionContext,
): vscode.CodeAction[] {
  if (runtime === undefined) return [];
  const byFile = problemsOf(runtime, withFixes(runtime.workspace.diagnostics(), runtime.plugins.plugins()));
  const ours = [...byFile].flatMap(([path, problems]) =>
    vscode.Uri.file(path).fsPath === document.uri.fsPath ? problems : [],
  );
  return context.diagnostics
    .filter(({ source }) => source === 'pincer')
    .flatMap((shown) => {
      const problem = ours.find(
        (each) => each.code === shown.code && shownMessage(each) === shown.message && fitsLine(each, shown),
      );
      return (problem?.fixes ?? []).map((fix, index) => {
        const action = new vscode.CodeAction(fixTitle(fix), vscode.CodeActionKind.QuickFix);
        action.diagnostics = [shown];
        action.isPreferred = index === 0;
        action.command = { command: 'pincer.plugins.applyFix', title: fixTitle(fix), arguments: [{ fix }] };
        return action;
      });
    });
}

function fitsLine(problem: Diagnostic, shown: vscode.Diagnostic): boolean {
  return problem.line === undefined || problem.line - 1 === shown.range.start.line;
}
