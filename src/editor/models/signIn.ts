import * as vscode from 'vscode';
import { cancelledError, throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { inertLine, truncate } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { noIcons } from '../memory/hitItems.ts';
import { notificationText } from '../notificationText.ts';
import { tell } from '../registerCommand.ts';
import { toAbortSignal } from '../toAbortSignal.ts';
import { createBrowserReturns, type BrowserReturns } from './createBrowserReturns.ts';
import type { SignInChoice, SignInPrompter } from '../../plugins/providers/providerSignIn.ts';
import { extensionId } from '../rowCommands.ts';

/** Boxes draw icons and links, which may run commands, as notifications do. */
const shown = (text: string): string => noIcons(notificationText(text));

// Threat: any extension may ask VS Code for a session of this provider. What it gets as the token is a word: the credential itself
// stays among Pincer's secrets, and only the plugin that got it uses it.
const keptToken = 'kept by Pincer';

/** As in package.json (`authentication`). */
const providerId = 'pincer';

type SignIns = Runtime['models']['signIns'];
type SignInOffer = ReturnType<SignIns['offers']>[number];

/** Model providers of plugins that the user is signed in to, for VS Code's Accounts menu, which signs out of them, too. */
export function registerAccounts(signIns: SignIns): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  const sessions = async (): Promise<vscode.AuthenticationSession[]> =>
    (await signIns.accounts()).map(({ id, provider, account }) => ({
      id,
      accessToken: keptToken,
      account: { id, label: account === provider ? provider : `${provider}: ${account}` },
      scopes: [id],
    }));
  let shown = new Map<string, vscode.AuthenticationSession>();
  const compare = async (): Promise<void> => {
    const now = new Map((await sessions()).map((session) => [session.id, session]));
    const before = shown;
    shown = now;
    changed.fire({
      added: [...now.values()].filter(({ id }) => !before.has(id)),
      removed: [...before.values()].filter(({ id }) => !now.has(id)),
      changed: [],
    });
  };
  const returns = createBrowserReturns((hear) =>
    vscode.window.registerUriHandler({ handleUri: (uri) => hear(new URL(uri.toString(true))) }),
  );
  const following = signIns.onDidChange(() => void compare());
  void compare();
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    getSessions: async (scopes) =>
      (await sessions()).filter(
        ({ id }) => scopes === undefined || scopes.length === 0 || scopes.includes(id),
      ),
    async createSession(scopes) {
      const id = await signIn(signIns, scopes, returns);
      const created = (await sessions()).find((session) => session.id === id);
      if (created === undefined) throw cancelledError();
      return { ...created, scopes };
    },
    removeSession: (id) => signIns.signOut(id),
  };
  return vscode.Disposable.from(
    following,
    changed,
    vscode.authentication.registerAuthenticationProvider(providerId, 'Pincer', provider, {
      supportsMultipleAccounts: true,
    }),
  );
}

/** Runs what the plugin does to sign in, under a notification that shows where it is and ends it. Gives the id of the account. */
async function signIn(signIns: SignIns, scopes: readonly string[], returns: BrowserReturns): Promise<string> {
  const offer = signIns.offers().find(({ id }) => scopes.includes(id));
  const method = offer?.methods.find(({ id }) => scopes.includes(id)) ?? offer?.methods[0];
  if (offer === undefined || method === undefined)
    throw new PincerError('sign_in_unknown', 'No loaded plugin has such a sign-in.', {
      hint: 'Run “Pincer: Sign In to Model Provider…”.',
    });
  const title = titleOf(offer);
  const { provider, account, notes } = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('{0}: signing in', title),
      cancellable: true,
    },
    async (progress, token) => {
      const prompter = createSignInPrompter(title, progress, returns);
      return await signIns.signIn(offer.id, method.id, prompter, toAbortSignal(token));
    },
  );
  tell(
    [
      account === provider
        ? vscode.l10n.t('You are signed in to {0}.', provider)
        : vscode.l10n.t('You are signed in to {0} as {1}.', provider, account),
      ...notes,
    ].join(' '),
  );
  return offer.id;
}

/** The plugin first: its own word for the provider, which may have wide characters, can't push that out of sight. */
function titleOf({ label, pluginId }: SignInOffer): string {
  const text = vscode.l10n.t('Plugin {0}: {1}', inertLine(pluginId, 40), truncate(label, 40));
  return noIcons(notificationText(text));
}

interface SignInRow extends vscode.QuickPickItem {
  readonly scopes: readonly [offer: string, method: string];
  readonly about: string;
}

/** `Pincer: Sign In to Model Provider…`: asks which one, then VS Code asks whether to, and the plugin what it needs. */
export async function signInFlow({ models: { signIns } }: Pick<Runtime, 'models'>): Promise<void> {
  const accounts = new Map((await signIns.accounts()).map(({ id, account }) => [id, account]));
  const rows = signIns.offers().flatMap((offer) =>
    offer.methods.map((method): SignInRow => {
      const account = accounts.get(offer.id);
      const plugin = offer.isOfWorkspace
        ? vscode.l10n.t('Plugin {0} of this workspace', offer.pluginId)
        : vscode.l10n.t('Plugin {0}', offer.pluginId);
      const state = account === undefined ? [] : [vscode.l10n.t('signed in as {0}', account)];
      return {
        label: noIcons(offer.label),
        description: noIcons(method.label),
        detail: noIcons([plugin, ...state, ...(method.hint === undefined ? [] : [method.hint])].join(' · ')),
        scopes: [offer.id, method.id],
        about: vscode.l10n.t('{0}: {1}, {2}', plugin, truncate(offer.label, 40), truncate(method.label, 40)),
      };
    }),
  );
  if (rows.length === 0) {
    tell(
      vscode.l10n.t(
        'No loaded plugin has a model provider to sign in to. A key is entered with Pincer: Add Model….',
      ),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Sign in to a model provider'),
    placeHolder: vscode.l10n.t('The plugin that brings the provider asks what it needs'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  try {
    await vscode.authentication.getSession(providerId, [...picked.scopes], {
      forceNewSession: { detail: `${picked.about}.` },
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** The user said no to VS Code's question, or left the sign-in. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:User did not consent to login|Cancelled)/u.test(error.message);
}

interface Row extends vscode.QuickPickItem {
  readonly at: number;
}

/** What a plugin asks while it signs its user in, in VS Code's own boxes. `title` names the plugin on each of them. */
function createSignInPrompter(
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
