import * as vscode from 'vscode';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import { modeTexts } from '../approvals/approvalTexts.ts';
import type { Session } from '../../sessions/session.ts';
import { askersText } from '../approvals/approvalTexts.ts';
import { tellContinued } from '../checkpoints/continueFork.ts';
import { memoryAnswer } from '../memory/memoryAnswer.ts';
import { describeModel } from '../models/chooseModel.ts';
import { answerWithTicks } from '../review/answerWithTicks.ts';
import type { ResultMetadata } from './resultMetadata.ts';
import { section } from './section.ts';
import { explainTools, listTools } from './toolTexts.ts';

export interface SlashContext {
  readonly runtime: Runtime;
  readonly session: Session;
  /** The session of the turn before, where there was one. */
  readonly previous: Session | undefined;
  readonly stream: vscode.ChatResponseStream;
  /** What stands behind the command. */
  readonly prompt: string;
  readonly request: vscode.ChatRequest;
  /** Aborts where the user stops the request. */
  readonly signal: AbortSignal;
}

type SlashCommand = (context: SlashContext) => Promise<ResultMetadata['about']> | ResultMetadata['about'];

/**
 * The commands that answer by themselves; `/resume` is a turn of the agent and stands in `handleRequest`. `reset` is known to
 * those who come from OpenClaw: it is typed and not offered.
 */
export const slashCommands: Readonly<Record<string, SlashCommand>> = {
  help,
  tools,
  plugins,
  memory,
  approve,
  status,
  new: (context) => startOver(context, 'new'),
  reset: (context) => startOver(context, 'reset'),
  continue: continueChat,
};

/** Restore Checkpoint opens a new chat with it; `session` is the one that it names. */
function continueChat({ session, stream }: SlashContext): 'answer' {
  stream.markdown(tellContinued(session));
  return 'answer';
}

function help({ runtime, stream }: SlashContext): 'help' {
  const pluginCommands = runtime.plugins
    .commands()
    .map((each) => `- \`/${each.name}\` ${escapeMarkdown(each.description)}`);
  stream.markdown(
    [
      vscode.l10n.t(
        'Pincer answers questions about this workspace. It changes files, runs commands and reads the web when you allow it. Plugins extend and gate what it does.',
      ),
      vscode.l10n.t(
        'Ask in your own words. With the built-in model, which is no AI, these plain commands work too:',
      ),
      [
        '- `read README.md`, `list docs`, `find **/*.md`, `search some words`',
        '- `write notes.md: text`',
        '- `/tool NAME {"parameter": "value"}`',
      ].join('\n'),
      vscode.l10n.t(
        'Attach files with `#`. `/memory` finds passages in the notes of the workspace. `/tools` and `/plugins` say what is there, `/status` what is going on, `/new` starts over.',
      ),
      ...(pluginCommands.length === 0
        ? []
        : [vscode.l10n.t('Commands of plugins:'), pluginCommands.join('\n')]),
    ].join('\n\n'),
  );
  return 'help';
}

function tools({ runtime, session, stream, prompt }: SlashContext): 'answer' {
  const catalog = runtime.toolsFor(session);
  stream.markdown(prompt.trim() === '' ? listTools(catalog) : explainTools(catalog, prompt.trim()));
  return 'answer';
}

function plugins({ runtime, stream }: SlashContext): 'answer' {
  const rows = runtime.plugins.plugins().map((plugin) => {
    const reason = plugin.status === 'loaded' ? '' : `: ${escapeMarkdown(plugin.reason)}`;
    return `- **${escapeMarkdown(plugin.id)}** ${plugin.status}${reason}`;
  });
  const problems = runtime.diagnostics().map((each) => `- ${escapeMarkdown(describeDiagnostic(each))}`);
  const none = vscode.l10n.t('No plugins found. Put one into `.pincer/plugins` of this workspace.');
  stream.markdown(
    [
      ...(rows.length === 0 ? [none] : section(vscode.l10n.t('Plugins ({0})', rows.length), rows)),
      ...section(vscode.l10n.t('Problems'), problems),
    ].join('\n\n'),
  );
  return 'answer';
}

async function memory({ runtime, stream, prompt, signal }: SlashContext): Promise<'answer'> {
  const tell = (text: string): void => stream.progress(text);
  stream.markdown(await memoryAnswer({ memory: runtime.memory, signal, tell }, prompt.trim()));
  return 'answer';
}

function approve({ runtime, stream, prompt }: SlashContext): 'answer' {
  const [id = '', decision = ''] = prompt.trim().split(/\s+/u);
  if (id === '') {
    const pending = runtime.approvals.pending();
    stream.markdown(
      pending.length === 0 ? vscode.l10n.t('No approval is waiting.') : pending.map(waitingLine).join('\n'),
    );
    return 'answer';
  }
  const known = approvalDecisions.find((each) => each === decision);
  if (known === undefined) {
    stream.markdown(
      vscode.l10n.t(
        'Say what you decide: `/approve {0} allow-once`, `allow-always` or `deny`.',
        escapeMarkdown(id),
      ),
    );
    return 'answer';
  }
  const answer = answerWithTicks(runtime.approvals, id, known, 'chat');
  stream.markdown(
    answer.ok
      ? vscode.l10n.t('Done: {0}.', known)
      : escapeMarkdown(`${answer.error.message} ${answer.error.hint ?? ''}`),
  );
  return 'answer';
}

/** Literal throughout: what a plugin or a model wrote can be no link that answers. */
function waitingLine({ id, title, description, askers, decisions }: ApprovalRequest): string {
  const what = escapeMarkdown(`${title}: ${description} (${askersText(askers)})`);
  return `- \`${id.slice(0, 8)}\` ${what}: ${decisions.join(', ')}`;
}

const approvalDecisions: readonly ApprovalDecision[] = ['allow-once', 'allow-always', 'deny'];

function status({ runtime, session, stream, request }: SlashContext): 'answer' {
  const loaded = runtime.plugins.plugins().filter((plugin) => plugin.status === 'loaded');
  const waiting = runtime.approvals.pending().length;
  const running = runtime.jobs.list().filter((job) => job.end() === undefined).length;
  stream.markdown(
    [
      `- ${vscode.l10n.t('Model')}: ${escapeMarkdown(describeModel(runtime, request.model))}`,
      `- ${vscode.l10n.t('Session')}: \`${session.id}\`, ${vscode.l10n.t('messages: {0}', session.messages().length)}`,
      `- ${vscode.l10n.t('Folders')}: ${runtime.folders().map(escapeMarkdown).join(', ') || vscode.l10n.t('none')}`,
      `- ${vscode.l10n.t('Plugins')}: ${escapeMarkdown(loaded.map((plugin) => plugin.id).join(', ')) || vscode.l10n.t('none')}`,
      `- ${vscode.l10n.t('Approvals')}: ${modeTexts(runtime.approvals.limits().mode).label}, ${vscode.l10n.t('waiting: {0}', waiting)}`,
      `- ${vscode.l10n.t('Commands')}: ${commandPlace(runtime, session)}, ${vscode.l10n.t('running: {0}', running)}`,
      `- ${vscode.l10n.t('Problems')}: ${String(runtime.diagnostics().filter((each) => each.level !== 'info').length)}`,
    ].join('\n'),
  );
  return 'answer';
}

function commandPlace(runtime: Runtime, session: Session): string {
  const hidden = runtime
    .toolsFor(session)
    .hidden()
    .find(({ name }) => name === 'exec');
  if (hidden !== undefined) return escapeMarkdown(vscode.l10n.t('nowhere: {0}', hidden.reason));
  const place = runtime.commandPlace();
  if (place === 'local') return vscode.l10n.t('on this machine');
  if (place === 'sandbox') return vscode.l10n.t('in the sandbox');
  return escapeMarkdown(vscode.l10n.t('nowhere: {0}', place.unavailable));
}

async function startOver(
  { runtime, previous, stream }: SlashContext,
  action: 'new' | 'reset',
): Promise<'answer'> {
  const texts = previous === undefined ? [] : await runtime.resetSession(previous, action);
  const more = texts.length - maxHookTexts;
  stream.markdown(
    [
      vscode.l10n.t('New session. Nothing said above is sent to a model again.'),
      ...texts.slice(0, maxHookTexts).map(toParagraph),
      ...(more > 0 ? [vscode.l10n.t('Operator hooks had {0} more to say.', more)] : []),
    ].join('\n\n'),
  );
  return 'answer';
}

const maxHookTexts = 5;

// Threat: an operator hook's text stands in our own answer. It may hold no link, no button and no heading.
/** One paragraph that shows the text literally, its lines kept. */
function toParagraph(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => escapeMarkdown(line.trim())).join('  \n');
}
