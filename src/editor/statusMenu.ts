import * as vscode from 'vscode';
import { plural } from '../base/text.ts';
import type { Runtime } from '../runtime/index.ts';
import { modeTexts } from './approvals/approvalTexts.ts';
import { restartText } from './gateway/restartText.ts';
import { noIcons } from './memory/hitItems.ts';
import { progressText } from './memory/memoryTexts.ts';
import type { CommandId } from './commandTable.ts';

interface Entry extends vscode.QuickPickItem {
  readonly command?:
    | CommandId
    | 'pincer.approvals.focus'
    | 'pincer.plugins.focus'
    | 'pincer.memory.focus'
    | 'pincer.sessions.focus';
}

/** What is going on, each line leading to the place where it can be changed. */
export async function showStatusMenu(runtime: Runtime): Promise<void> {
  const picked = await vscode.window.showQuickPick(entries(runtime), {
    title: 'Pincer',
    placeHolder: vscode.l10n.t('Status and actions'),
  });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}

function entries(runtime: Runtime): Entry[] {
  const { info } = runtime.models.default();
  const plugins = runtime.plugins.plugins();
  const loaded = plugins.filter((plugin) => plugin.status === 'loaded').length;
  const running = runtime.tools.jobs.list().filter((job) => job.end() === undefined).length;
  const problems = runtime.workspace.diagnostics().filter((each) => each.level !== 'info').length;
  return [
    { label: vscode.l10n.t('$(comment-discussion) Open Chat'), command: 'pincer.chat.open' },
    ...runningEntries(runtime),
    {
      label: vscode.l10n.t('$(list-unordered) Sessions'),
      description: vscode.l10n.t('go on with an earlier one, search, fork, export'),
      command: 'pincer.sessions.focus',
    },
    {
      label: vscode.l10n.t('$(bell) Approvals'),
      description: plural(
        runtime.approvals.pending().length,
        vscode.l10n.t('request waiting'),
        vscode.l10n.t('requests waiting'),
      ),
      command: 'pincer.approvals.focus',
    },
    {
      label: vscode.l10n.t('$(shield) Approval mode'),
      description: modeTexts(runtime.approvals.limits().mode).label,
      detail: modeTexts(runtime.approvals.limits().mode).meaning,
      command: 'pincer.approvals.setMode',
    },
    {
      label: vscode.l10n.t('$(terminal) Commands'),
      description: vscode.l10n.t('running: {0}', running),
      command: 'pincer.jobs.list',
    },
    gatewayEntry(runtime),
    {
      label: vscode.l10n.t('$(plug) Plugins'),
      description: [
        vscode.l10n.t('{0} of {1} loaded', loaded, plugins.length),
        plural(problems, vscode.l10n.t('problem'), vscode.l10n.t('problems')),
      ].join(', '),
      command: 'pincer.plugins.focus',
    },
    {
      label: vscode.l10n.t('$(database) Memory'),
      description: memoryText(runtime),
      command: 'pincer.memory.focus',
    },
    {
      label: vscode.l10n.t('$(sparkle) Default model'),
      description: info.name,
      ...(info.detail === undefined ? {} : { detail: info.detail }),
      command: 'pincer.models.add',
    },
    {
      label: vscode.l10n.t('$(history) Last run'),
      description: vscode.l10n.t('what plugins changed and decided'),
      command: 'pincer.runs.showLast',
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('$(mortar-board) Get started'),
      description: vscode.l10n.t('five steps, with pictures'),
      command: 'pincer.walkthrough.open',
    },
    { label: vscode.l10n.t('$(book) Documentation'), command: 'pincer.docs.open' },
    { label: vscode.l10n.t('$(settings-gear) Open user config'), command: 'pincer.config.openUser' },
    { label: vscode.l10n.t('$(output) Show log'), command: 'pincer.log.show' },
  ];
}

/** What one may want while a turn runs. */
function runningEntries({ conversations }: Pick<Runtime, 'conversations'>): Entry[] {
  if (conversations.runningTurns().length === 0) return [];
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: vscode.l10n.t('$(debug-step-over) Steer the running turn'), command: 'pincer.turn.steer' },
    { label: vscode.l10n.t('$(watch) Queue a follow-up'), command: 'pincer.turn.queue' },
    { label: vscode.l10n.t('$(inbox) Waiting messages'), command: 'pincer.waiting.show' },
    { label: vscode.l10n.t('$(debug-stop) Stop the running turn'), command: 'pincer.turn.stop' },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
  ];
}

function gatewayEntry({ gateway, conversations }: Pick<Runtime, 'gateway' | 'conversations'>): Entry {
  const status = gateway.status();
  if (status.state !== 'running')
    return {
      label: vscode.l10n.t('$(radio-tower) Start gateway'),
      description: vscode.l10n.t('lets programs and a second screen use the agent'),
      command: 'pincer.gateway.start',
    };
  return {
    label: vscode.l10n.t('$(radio-tower) Stop gateway'),
    description: vscode.l10n.t('runs on {0}', `127.0.0.1:${String(status.port)}`),
    ...(status.awaitsRestart === true ? { detail: noIcons(restartText(conversations)) } : {}),
    command: 'pincer.gateway.stop',
  };
}

/** Its thread is not started for a menu. */
function memoryText({ memory }: Pick<Runtime, 'memory'>): string {
  const progress = memory.progress();
  return progress === undefined ? vscode.l10n.t('what is indexed of your notes') : progressText(progress);
}
