import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { CommandExplanation } from '../../runtime/explainCommand.ts';
import type { Runtime } from '../../runtime/index.ts';

/** Nobody reads a verdict about half a word. Milliseconds. */
const typingMs = 200;

/** Says of a command while it is typed what would happen if a model ran it now. Runs nothing; stays open until it is left. */
export function tryCommand(runtime: { readonly tools: Pick<Runtime['tools'], 'explainCommand'> }): void {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Try a command');
  box.prompt = vscode.l10n.t('Says what would happen if a model ran it now. Nothing is run.');
  box.placeholder = 'git status';
  let latest = 0;
  const judge = async (): Promise<void> => {
    latest += 1;
    const own = latest;
    const line = box.value.trim();
    const shown = line === '' ? undefined : await explain(runtime, line);
    // Another line may have been typed meanwhile.
    if (own === latest) box.validationMessage = shown;
  };
  const typing = createTimer(typingMs, () => void judge());
  box.onDidChangeValue(() => {
    latest += 1;
    box.validationMessage = undefined;
    typing.restart();
  });
  box.onDidAccept(() => {
    typing.stop();
    void judge();
  });
  box.onDidHide(() => {
    typing.dispose();
    box.dispose();
  });
  box.show();
}

async function explain(
  runtime: { readonly tools: Pick<Runtime['tools'], 'explainCommand'> },
  line: string,
): Promise<vscode.InputBoxValidationMessage> {
  try {
    return toMessage(await runtime.tools.explainCommand(line));
  } catch (error) {
    return {
      message: inertLine(errorMessage(error), 400),
      severity: vscode.InputBoxValidationSeverity.Error,
    };
  }
}

function toMessage({ verdict, reason }: CommandExplanation): vscode.InputBoxValidationMessage {
  const { Info, Warning, Error } = vscode.InputBoxValidationSeverity;
  const why = inertLine(reason, 400);
  switch (verdict) {
    case 'allow':
      return { message: vscode.l10n.t('Runs without a question. {0}', why), severity: Info };
    case 'ask':
      return { message: vscode.l10n.t('Asks first. {0}', why), severity: Warning };
    case 'deny':
      return { message: vscode.l10n.t('Is refused. {0}', why), severity: Error };
  }
}
