import * as vscode from 'vscode';
import { ignoreAbort, raceAbort } from '../../base/abort.ts';
import { createSerialQueue } from '../../base/createSerialQueue.ts';
import { PincerError } from '../../base/errors.ts';
import {
  readTyped,
  type AskPerson,
  type FieldValue,
  type QuestionField,
  type ServerAnswer,
  type ServerQuestion,
} from '../../mcp/serverQuestion.ts';
import { askSteps, inputStep, listStep, type StepAnswer } from '../models/steps.ts';
import { notificationText } from '../notificationText.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { McpServers } from '../../mcp/mcpServers.ts';
import { inBackground } from '../registerCommand.ts';
import { createChangeNotifier } from './createChangeNotifier.ts';

type Content = Readonly<Record<string, FieldValue>>;

/** Asks what MCP servers want to know, one question after the other; each field has a box, Back goes back. */
export function createServerQuestions(): AskPerson {
  const inTurn = createSerialQueue();
  return (question, signal) =>
    inTurn<ServerAnswer>(() => (signal.aborted ? { action: 'cancel' } : ask(question, signal)));
}

async function ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
  if (question.kind === 'address') return await askToOpen(question, signal);
  if (question.fields.length === 0) return await askPlainly(question, signal);
  const done = await askSteps<{ readonly at: number; readonly content: Content }>(
    { at: 0, content: {} },
    ({ at, content }, canGoBack) => {
      const field = question.fields[at];
      if (field === undefined) return undefined;
      return askField(question, field, { canGoBack, signal }).then((answer) => {
        if (answer === undefined || answer === 'back') return answer;
        const { value } = answer.value;
        return {
          value: { at: at + 1, content: value === undefined ? content : { ...content, [field.name]: value } },
        };
      });
    },
  );
  return done === undefined ? { action: 'cancel' } : { action: 'accept', content: done.content };
}

interface FieldAnswer {
  readonly value: FieldValue | undefined;
}

async function askField(
  { server, message }: ServerQuestion,
  field: QuestionField,
  step: { readonly canGoBack: boolean; readonly signal: AbortSignal },
): Promise<StepAnswer<FieldAnswer>> {
  const head = {
    title: vscode.l10n.t('The MCP server {0} asks', server),
    placeholder: field.isRequired ? field.label : vscode.l10n.t('{0} (may be empty)', field.label),
    ...step,
  };
  const { kind, choices, preset } = field;
  if (kind === 'choice' || kind === 'boolean' || kind === 'choices') {
    const rows =
      kind === 'boolean'
        ? [
            { label: vscode.l10n.t('Yes'), value: 'true' },
            { label: vscode.l10n.t('No'), value: 'false' },
          ]
        : choices.map(({ value, label }) => ({ label: label.replaceAll('$(', '$ ('), value }));
    for (let problem = ''; ;) {
      const answer = await listStep<string>({
        ...head,
        placeholder: notificationText(`${problem}${message} ${head.placeholder}`),
        rows: () => rows,
        ...(kind === 'choices' ? { several: `${problem}${vscode.l10n.t('Select one or more')}` } : {}),
      });
      if (answer === undefined || answer === 'back') return answer;
      const read = readTyped(field, answer.value);
      if (typeof read !== 'string') return { value: read };
      problem = `${read} `;
    }
  }
  return await inputStep<FieldAnswer>({
    ...head,
    prompt: notificationText(message),
    ...(preset === undefined ? {} : { value: preset }),
    accept: (typed) => accept(field, typed),
  });
}

function accept(field: QuestionField, typed: string): FieldAnswer {
  const read = readTyped(field, typed);
  if (typeof read === 'string') throw new PincerError('mcp_answer_not_fitting', read);
  return read;
}

/** Undefined once the question is taken back. VS Code closes no dialog by itself, so a later click on one means nothing. */
async function whileAsked<T>(answer: Thenable<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
  const choice = await raceAbort(Promise.resolve(answer), signal).catch(ignoreAbort(signal));
  return signal.aborted ? undefined : choice;
}

async function askPlainly({ server, message }: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
  const yes = vscode.l10n.t('Yes');
  const no = vscode.l10n.t('No');
  const title = vscode.l10n.t('The MCP server {0} asks', server);
  const choice = await whileAsked(
    vscode.window.showInformationMessage(title, { modal: true, detail: message }, yes, no),
    signal,
  );
  if (choice === undefined) return { action: 'cancel' };
  return choice === yes ? { action: 'accept' } : { action: 'decline' };
}

/** The address is shown whole, and its host once more by itself. */
async function askToOpen(
  { server, message, url, host }: Extract<ServerQuestion, { kind: 'address' }>,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const open = vscode.l10n.t('Open {0}', host);
  const title = vscode.l10n.t('The MCP server {0} wants you to open a page of {1}', server, host);
  const detail = `${message}\n\n${url}`;
  const choice = await whileAsked(
    vscode.window.showWarningMessage(title, { modal: true, detail }, open),
    signal,
  );
  if (choice !== open) return { action: choice === undefined ? 'cancel' : 'decline' };
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
  return { action: 'accept' };
}

/** Tells of each change of what a server defines, once in this window, with the way to look at it. */
export function tellChanges(mcp: Pick<McpServers, 'list' | 'onDidChange'>): Disposable {
  return mcp.onDidChange(createChangeNotifier(() => mcp.list(), tell, inBackground));
}

async function tell(name: string, tools: readonly string[]): Promise<void> {
  const review = vscode.l10n.t('Review');
  const text =
    tools.length === 1
      ? vscode.l10n.t(
          "The MCP server {0} changed the definition of {1}. Agents can't use it until you review it.",
          name,
          tools.join(),
        )
      : vscode.l10n.t(
          "The MCP server {0} changed the definitions of {1} tools. Agents can't use them until you review them.",
          name,
          tools.length,
        );
  const picked = await vscode.window.showWarningMessage(notificationText(text), review);
  if (picked === review) await vscode.commands.executeCommand('pincer.mcp.review', { serverName: name });
}
