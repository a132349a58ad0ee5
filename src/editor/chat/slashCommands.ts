import * as vscode from 'vscode';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { LastTurn } from '../../runtime/conversations.ts';
import { inertAnswer } from '../../sessions/markdown/inertAnswer.ts';
import type { Session } from '../../sessions/session.ts';
import type { ToolCatalog } from '../../tools/catalog.ts';
import { describeOwner, ownerId } from '../../tools/describeOwner.ts';
import { describeVerdict } from '../../tools/policy/describeVerdict.ts';
import type { ToolExplanation } from '../../tools/policy/explainTool.ts';
import { askersText } from '../approvals/approvalTexts.ts';
import { denyInWords } from '../approvals/resolveApproval.ts';
import { tellContinued } from '../checkpoints/continueFork.ts';
import { memoryAnswer } from '../memory/memoryAnswer.ts';
import { answerWithTicks } from '../review/answerWithTicks.ts';
import { messagesText, nameOfSession } from '../sessions/sessionTexts.ts';
import { planRecap, type Exchange, type Recap } from './planRecap.ts';
import type { ResultMetadata } from './resultMetadata.ts';
import { rowsUnder } from './rowsUnder.ts';
import { agent, compact, model, set, stop } from './sessionSlash.ts';
import { showProgress } from './showProgress.ts';
import type { SlashCommand, SlashContext } from './slashCommand.ts';
import { statusText } from './statusTexts.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';

/** `/tool NAME {"parameter": "value"}`: a turn of the agent that calls one tool, whatever model answers else. */
export const toolCommand = 'tool';

/**
 * The commands that answer by themselves; `/resume` alone and `/tool` are turns of the agent and stand in `handleRequest`.
 * `package.json` offers all that are not marked as typed.
 */
export const slashCommands: Readonly<Record<string, SlashCommand>> = {
  help: { run: help },
  tools: { run: tools },
  plugins: { run: plugins },
  memory: { run: memory },
  approve: { run: approve },
  status: { run: status },
  new: { run: (context) => startOver(context, 'new') },
  resume: { run: resumeAnswer },
  compact: { run: compact },
  agent: { run: agent },
  model: { run: model },
  set: { run: set },
  stop: { run: stop, isTyped: true },
  reset: { run: (context) => startOver(context, 'reset'), isTyped: true },
  continue: { run: continueChat, isTyped: true },
};

/** Restore Checkpoint opens a new chat with it; `session` is the one that it names. */
function continueChat({ session, stream }: SlashContext): 'answer' {
  showBroughtAlong(stream, session, [tellContinued(session)]);
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
        'Ask in your own words. With the built-in model, which is not an AI, these plain commands work too:',
      ),
      [
        '- `read README.md`, `list docs`, `find **/*.md`, `search some words`',
        '- `write notes.md: text`',
      ].join('\n'),
      vscode.l10n.t('`/tool NAME {"parameter": "value"}` calls a tool, whichever model is in use.'),
      vscode.l10n.t(
        'Attach files with `#`. `/memory` finds passages in the notes of the workspace. `/tools` and `/plugins` say what is there, `/status` what is going on, `/new` starts over. `/model`, `/set` and `/agent` choose who answers and how, `/compact` shortens a long conversation.',
      ),
      ...(pluginCommands.length === 0
        ? []
        : [vscode.l10n.t('Commands of plugins:'), pluginCommands.join('\n')]),
    ].join('\n\n'),
  );
  return 'help';
}

function tools({ runtime, session, stream, prompt }: SlashContext): 'answer' {
  const catalog = runtime.tools.catalogFor(session);
  stream.markdown(prompt.trim() === '' ? listTools(catalog) : explainTools(catalog, prompt.trim()));
  return 'answer';
}

function plugins({ runtime, stream }: SlashContext): 'answer' {
  const rows = runtime.plugins.plugins().map((plugin) => {
    const reason = plugin.status === 'loaded' ? '' : `: ${escapeMarkdown(plugin.reason)}`;
    return `- **${escapeMarkdown(plugin.id)}** ${plugin.status}${reason}`;
  });
  const problems = runtime.workspace
    .diagnostics()
    .map((each) => `- ${escapeMarkdown(describeDiagnostic(each))}`);
  const none = vscode.l10n.t('No plugins found. Put one into `.pincer/plugins` of this workspace.');
  stream.markdown(
    [
      ...(rows.length === 0 ? [none] : rowsUnder(vscode.l10n.t('Plugins ({0})', rows.length), rows)),
      ...rowsUnder(vscode.l10n.t('Problems'), problems),
    ].join('\n\n'),
  );
  return 'answer';
}

async function memory({ runtime, stream, prompt, signal }: SlashContext): Promise<'answer'> {
  const tell = (text: string): void => showProgress(stream, text);
  stream.markdown(await memoryAnswer({ memory: runtime.memory, signal, tell }, prompt.trim()));
  return 'answer';
}

async function approve({ runtime, reviewOf, stream, prompt }: SlashContext): Promise<'answer'> {
  const { approvals } = runtime;
  const [, id = '', decision = '', words = ''] = /^(\S*)\s*(\S*)\s*(.*)$/su.exec(prompt.trim()) ?? [];
  const pending = approvals.pending();
  if (id === '') {
    const lines = pending.map((each) => waitingLine(each, approvals.isShownWhole(each.id, 'chat')));
    stream.markdown(
      lines.length === 0 ? vscode.l10n.t('No approval is waiting.') : trustedMarkdown(lines.join('\n')),
    );
    return 'answer';
  }
  const known = approvalDecisions.find((each) => each === decision);
  // A yes with a condition is no yes.
  if (known === undefined || (words !== '' && known !== 'deny')) {
    stream.markdown(
      vscode.l10n.t(
        'Enter your decision: `/approve {0} allow-once`, `allow-always` or `deny`; after `deny` you may say why.',
        escapeMarkdown(id),
      ),
    );
    return 'answer';
  }
  const [request, ...others] = pending.filter((each) => each.id.startsWith(id));
  if (words !== '' && request !== undefined && others.length === 0) {
    await denyInWords({ runtime }, request, words, 'chat');
    stream.markdown(
      request.isUnattended === true
        ? vscode.l10n.t('Denied. The agent gets your reason as the result of its call.')
        : vscode.l10n.t('Denied. Your reason is the next message in that chat.'),
    );
    return 'answer';
  }
  const answer = answerWithTicks(reviewOf, approvals, id, { decision: known, by: 'chat' });
  if (answer.ok) stream.markdown(vscode.l10n.t('Done: {0}.', known));
  else if (answer.error.code === 'approval_not_shown' && request !== undefined)
    stream.markdown(trustedMarkdown(`${escapeMarkdown(answer.error.message)} ${showLink(request)}`));
  else stream.markdown(escapeMarkdown(`${answer.error.message} ${answer.error.hint ?? ''}`));
  return 'answer';
}

/** Literal throughout: what a plugin or a model wrote can be no link that answers. */
function waitingLine(request: ApprovalRequest, isShown: boolean): string {
  const { id, title, description, askers, decisions } = request;
  const what = escapeMarkdown(`${title}: ${description} (${askersText(askers)})`);
  const choices = isShown ? decisions.join(', ') : `${showLink(request)}, deny`;
  return `- \`${id.slice(0, 8)}\` ${what}: ${choices}`;
}

/** Leads to all of a call, which a line cuts or hides: then it can be allowed. */
function showLink(request: ApprovalRequest): string {
  const argument = { approvalId: request.id };
  return diffShowsAll(request)
    ? commandLink(vscode.l10n.t('Show diff'), 'pincer.approvals.showDiff', argument)
    : commandLink(vscode.l10n.t('Show whole call'), 'pincer.approvals.showCall', argument);
}

const approvalDecisions: readonly ApprovalDecision[] = ['allow-once', 'allow-always', 'deny'];

async function status(context: SlashContext): Promise<'answer'> {
  context.stream.markdown(trustedMarkdown(await statusText(context)));
  return 'answer';
}

async function startOver(
  { runtime, previous, session, stream }: SlashContext,
  action: 'new' | 'reset',
): Promise<'answer'> {
  const texts = previous === undefined ? [] : await runtime.conversations.reset(previous, action, session);
  stream.markdown(
    [
      vscode.l10n.t('New session. Nothing said above is sent to a model again.'),
      ...hookParagraphs(texts),
    ].join('\n\n'),
  );
  return 'answer';
}

/** What operator hooks say as a session begins: the first of it, shown literally. */
export function hookParagraphs(texts: readonly string[]): readonly string[] {
  const more = texts.length - maxHookTexts;
  return [
    ...texts.slice(0, maxHookTexts).map(toParagraph),
    ...(more > 0 ? [vscode.l10n.t('Operator hooks sent more messages: {0}.', more)] : []),
  ];
}

const maxHookTexts = 5;

// Threat: an operator hook's text stands in our own answer. It may hold no link, no button and no heading.
/** One paragraph that shows the text literally, its lines kept. */
function toParagraph(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => escapeMarkdown(line.trim())).join('  \n');
}

/** `/tools`: what the agent has, what is hidden and what is wrong, as markdown. */
function listTools(catalog: ToolCatalog): string {
  const rows = catalog.tools().map((tool) => {
    const owner = tool.owner.kind === 'core' ? '' : ` (${escapeMarkdown(ownerId(tool.owner))})`;
    return `- ${asCode(tool.name)}${owner}: ${escapeMarkdown(firstSentence(tool.description))}`;
  });
  const hidden = catalog.hidden().map((each) => `- ${asCode(each.name)}: ${escapeMarkdown(each.reason)}`);
  const problems = catalog.diagnostics().map((each) => `- ${escapeMarkdown(describeDiagnostic(each))}`);
  return [
    ...rowsUnder(vscode.l10n.t('Tools ({0})', rows.length), rows),
    ...rowsUnder(vscode.l10n.t('Hidden'), hidden),
    ...rowsUnder(vscode.l10n.t('Problems'), problems),
    ...(hidden.length === 0
      ? []
      : [vscode.l10n.t('`/tools NAME` explains why a tool is available or hidden.')]),
  ].join('\n\n');
}

/** `/tools NAME`: whether the agent has it, and what each layer of the policy says. */
function explainTools(catalog: ToolCatalog, name: string): string {
  const found = catalog.explain(name);
  if (found.length > 0) return found.map(explanation).join('\n\n');
  const names = [...catalog.tools(), ...catalog.hidden()].map((tool) => tool.name);
  const nearest = nearestFirst(name, names).slice(0, 3).map(asCode).join(', ');
  const unknown = vscode.l10n.t('There is no tool “{0}”.', escapeMarkdown(inertLine(name, 80)));
  return nearest === '' ? unknown : `${unknown} ${vscode.l10n.t('Did you mean {0}?', nearest)}`;
}

function explanation({ tool, hidden, layers }: ToolExplanation): string {
  const state =
    hidden === undefined
      ? vscode.l10n.t('The agent can use it.')
      : vscode.l10n.t('Hidden: {0}.', escapeMarkdown(hidden.reason));
  const rows = layers.map(
    (layer) => `- ${escapeMarkdown(layer.label)}: ${escapeMarkdown(describeVerdict(layer))}`,
  );
  return [
    `**${asCode(tool.name)}** (${escapeMarkdown(describeOwner(tool.owner))}): ${state}`,
    ...(rows.length === 0
      ? [vscode.l10n.t('No config or profile mentions it.')]
      : [vscode.l10n.t('Decided by, in this order:'), rows.join('\n')]),
  ].join('\n\n');
}

function asCode(name: string): string {
  return `\`${inertLine(name, 80).replaceAll('`', '')}\``;
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
}

/** `/resume <name>`: this chat goes on with an earlier session, and shows it, since VS Code can't show the old chat. */
async function resumeAnswer({ runtime, session, stream }: SlashContext): Promise<ResultMetadata['about']> {
  const turn = await runtime.conversations.lastTurn(session);
  const title = escapeMarkdown(nameOfSession(session));
  const head = vscode.l10n.t('This chat goes on with “{0}”.', title);
  showBroughtAlong(stream, session, [head, ...turnLines(turn)]);
  return turn === 'interrupted' ? 'interrupted' : 'answer';
}

/** The conversation that a new chat begins with: folded, the last exchange open. `head` are the paragraphs above that, our own. */
function showBroughtAlong(stream: SlashContext['stream'], session: Session, head: readonly string[]): void {
  const recap = planRecap(session.entries());
  const show = commandLink(vscode.l10n.t('Show the whole conversation'), 'pincer.sessions.show', {
    sessionId: session.id,
  });
  // The panel folds away what stands before the last text once progress was told.
  if (recap.earlier.length > 0) {
    showProgress(stream, earlierText(recap));
    // Models and others wrote it: markdown that runs no command.
    stream.markdown(recap.earlier.map(exchangeText).join('\n\n'));
    showProgress(stream, vscode.l10n.t('What was said last stands below'));
  }
  stream.markdown(
    trustedMarkdown(
      [...head, ...(recap.count === 0 ? [] : [`$(book) ${broughtText(recap)} ${show}`]), ''].join('\n\n'),
    ),
  );
  if (recap.last !== undefined) stream.markdown(exchangeText(recap.last));
}

function broughtText({ count, earlier }: Recap): string {
  const messages = messagesText(count);
  return earlier.length === 0
    ? vscode.l10n.t('{0} carried over.', messages)
    : vscode.l10n.t(
        '{0} carried over: the last ones stand below, the others are folded in the steps above.',
        messages,
      );
}

function earlierText({ earlier, leftOut }: Recap): string {
  return leftOut === 0
    ? vscode.l10n.t('What was said before: {0}', earlier.length)
    : vscode.l10n.t('What was said before: the last {0} of {1}', earlier.length, earlier.length + leftOut);
}

function exchangeText({ asked, answered }: Exchange): string {
  return [
    ...(asked === '' ? [] : [`**${vscode.l10n.t('You')}**: ${escapeMarkdown(inertLine(asked, 2_000))}`]),
    ...(answered === '' ? [] : [inertAnswer(answered)]),
  ].join('\n\n');
}

function turnLines(turn: LastTurn): readonly string[] {
  switch (turn) {
    case 'running':
      return [vscode.l10n.t('A turn of it is running now.')];
    case 'elsewhere':
      return [vscode.l10n.t('A turn of it runs in another window or program.')];
    case 'interrupted':
      return [vscode.l10n.t('Its last turn was interrupted.')];
    case 'ended':
      return [];
  }
}
