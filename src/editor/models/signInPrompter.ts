import * as vscode from 'vscode';
import { cancelledError, throwIfAborted } from '../../base/abort.ts';
import type { SignInChoice, SignInPrompter } from '../../plugins/providers/providerSignIn.ts';
import { noIcons } from '../memory/hitItems.ts';
import { notificationText } from '../notificationText.ts';
import { extensionId } from '../rowCommands.ts';
import type { BrowserReturns } from './createBrowserReturns.ts';

interface Row extends vscode.QuickPickItem {
  readonly at: number;
}

/** Boxes draw icons and links, which may run commands, as notifications do. */
const shown = (text: string): string => noIcons(notificationText(text));

/** What a plugin asks while it signs its user in, in VS Code's own boxes. `title` names the plugin on each of them. */
export function createSignInPrompter(
  title: string,
  progress: vscode.Progress<{ readonly message: string }>,
  returns: BrowserReturns,
): SignInPrompter {
  const report = (message: string): void => progress.report({ message: notificationText(message) });
  const rowsOf = (choices: readonly SignInChoice[]): readonly Row[] =>
    choices.map(({ label, hint }, at) => ({
      label: shown(label),
      ...(hint === undefined ? {} : { description: shown(hint) }),
      at,
    }));
  const boxOf = (placeHolder: string) => ({ title, placeHolder: shown(placeHolder), ignoreFocusOut: true });

  return {
    isRemote: vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web,
    note(message, heading) {
      const text = heading === undefined ? message : `${heading}: ${message}`;
      void vscode.window.showInformationMessage(notificationText(`${title}: ${text}`));
      return Promise.resolve();
    },
    deviceCode(code, heading, message) {
      // The progress stays for as long as the code counts; a notification of its own would go.
      report([heading, code, message ?? ''].filter((each) => each !== '').join(' · '));
      // A browser may refuse; the code is shown either way.
      void vscode.env.clipboard.writeText(code).then(
        () => vscode.window.setStatusBarMessage(vscode.l10n.t('The code is on the clipboard.'), 10_000),
        () => undefined,
      );
      return Promise.resolve();
    },
    async select(message, choices) {
      return given(await vscode.window.showQuickPick(rowsOf(choices), boxOf(message))).at;
    },
    async multiselect(message, choices) {
      const picked = await vscode.window.showQuickPick(rowsOf(choices), {
        ...boxOf(message),
        canPickMany: true,
      });
      return given(picked).map(({ at }) => at);
    },
    async text({ message, initialValue, placeholder, isSecret, validate }) {
      return given(
        await vscode.window.showInputBox({
          title,
          prompt: shown(message),
          ...(initialValue === undefined ? {} : { value: initialValue }),
          ...(placeholder === undefined ? {} : { placeHolder: shown(placeholder) }),
          password: isSecret,
          ignoreFocusOut: true,
          validateInput(value) {
            const problem = validate(value);
            return problem === undefined ? undefined : shown(problem);
          },
        }),
      );
    },
    async confirm(message) {
      const yes = { label: vscode.l10n.t('Yes') };
      return (
        given(await vscode.window.showQuickPick([yes, { label: vscode.l10n.t('No') }], boxOf(message))) ===
        yes
      );
    },
    progress(message) {
      report(message);
      return { update: report, stop: () => undefined };
    },
    async openUrl(url) {
      // VS Code shows the whole address and asks. Whoever copies it there instead goes on elsewhere.
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    async redirect(isExpected, signal) {
      const back = vscode.Uri.parse(`${vscode.env.uriScheme}://${extensionId}/sign-in`);
      const url = await vscode.env.asExternalUri(back);
      throwIfAborted(signal);
      const answered = returns.wait(isExpected, signal);
      return { url: url.toString(true), answered };
    },
  };
}

/** @throws PincerError `cancelled` where the user closed the box */
function given<T>(answer: T | undefined): T {
  if (answer === undefined) throw cancelledError();
  return answer;
}
