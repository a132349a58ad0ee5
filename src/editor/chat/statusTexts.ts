import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { ModelRef } from '../../contracts/model.ts';
import type { LastTurn } from '../../runtime/conversations.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { modeTexts } from '../approvals/approvalTexts.ts';
import { modelIdOf } from '../models/modelIds.ts';
import { messagesText, nameOfSession } from '../sessions/sessionTexts.ts';
import { useLines } from '../sessions/useTexts.ts';
import { modelOfTurn, type ModelSource } from './modelOfTurn.ts';
import { planRecap } from './planRecap.ts';
import { settingNames } from './planSetting.ts';
import type { SlashContext } from './slashCommand.ts';
import { commandLink } from './trustedMarkdown.ts';

/** `/status` as trusted markdown: the conversation first, then what holds for the window. */
export async function statusText({ runtime, session, picked }: SlashContext): Promise<string> {
  const { model, source } = modelOfTurn(runtime, session, picked);
  const use = runtime.conversations.use(session, model.info);
  const name = escapeMarkdown(`${model.info.name} (${modelIdOf(model.info)})`);
  return [
    row(vscode.l10n.t('Session'), sessionText(session)),
    row(vscode.l10n.t('Agent'), agentText(runtime, session)),
    row(vscode.l10n.t('Model'), `${name}, ${sourceText(runtime, session, source)}`),
    ...settingLines(runtime, session),
    ...useLines(use).map(([title, text]) => row(title, escapeMarkdown(text))),
    row(vscode.l10n.t('Turn'), await turnText(runtime, session)),
    ...windowLines(runtime, session),
    '',
    [...links(session), ...priceLink(runtime, model.info)].join(' · '),
  ].join('\n');
}

function sessionText(session: Session): string {
  const title = escapeMarkdown(nameOfSession(session));
  return `“${title}”, \`${session.id.slice(0, 8)}\`, ${messagesText(planRecap(session.entries()).count)}`;
}

function agentText({ conversations }: Pick<Runtime, 'conversations'>, { agentId }: Session): string {
  const name = conversations.agents().find(({ id }) => id === agentId)?.name ?? agentId;
  return name === agentId ? `\`${agentId}\`` : `${escapeMarkdown(inertLine(name, 60))} (\`${agentId}\`)`;
}

function sourceText(
  runtime: Pick<Runtime, 'models' | 'conversations'>,
  session: Session,
  source: ModelSource,
): string {
  switch (source) {
    case 'picker':
      return vscode.l10n.t('chosen in the model picker');
    case 'session':
      return vscode.l10n.t('chosen for this session with `/model`');
    case 'binding':
      return vscode.l10n.t('from the binding');
    case 'agent':
      return vscode.l10n.t('from the agent');
    case 'config':
      return defaultText(runtime, runtime.conversations.modelOf(session)?.model);
  }
}

/** `named`: the model of the config. The built-in one stands in where that is not there. A line of markdown. */
function defaultText({ models }: Pick<Runtime, 'models'>, named: string | undefined): string {
  if (named === undefined) return vscode.l10n.t('since the config names no other');
  if (models.find(named) !== undefined) return vscode.l10n.t('the default in the config');
  const name = escapeMarkdown(inertLine(named, 120));
  return vscode.l10n.t('since the config names the model “{0}”, which does not exist', name);
}

/** The settings that somebody has made, and who: `/set` for this session, or the agent's part of the config. */
export function settingLines(
  { conversations }: Pick<Runtime, 'conversations'>,
  session: Session,
): readonly string[] {
  const own = session.settings();
  const agents = conversations.agents().find(({ id }) => id === session.agentId)?.settings ?? {};
  const set = settingNames.flatMap((name) => {
    const value = own[name] ?? agents[name];
    if (value === undefined) return [];
    const who = own[name] === undefined ? vscode.l10n.t('agent') : vscode.l10n.t('this session');
    return [`${name} ${String(value)} (${who})`];
  });
  return [
    row(vscode.l10n.t('Settings'), set.join(', ') || vscode.l10n.t('defaults of the config and the model')),
  ];
}

async function turnText(
  { conversations }: Pick<Runtime, 'conversations'>,
  session: Session,
): Promise<string> {
  const states: Readonly<Record<LastTurn, string>> = {
    running: vscode.l10n.t('running'),
    elsewhere: vscode.l10n.t('runs in another window or program'),
    interrupted: vscode.l10n.t('interrupted'),
    ended: vscode.l10n.t('none running'),
  };
  const state = states[await conversations.lastTurn(session)];
  const waiting = conversations.inbox.list(session.id).length;
  const others = conversations.runningTurns().filter(({ session: other }) => other.id !== session.id).length;
  return [
    state,
    vscode.l10n.t('messages waiting: {0}', waiting),
    ...(others === 0 ? [] : [vscode.l10n.t('running in other sessions: {0}', others)]),
  ].join(', ');
}

function windowLines(runtime: Runtime, session: Session): readonly string[] {
  const none = vscode.l10n.t('none');
  const loaded = runtime.plugins.plugins().filter((plugin) => plugin.status === 'loaded');
  const waiting = runtime.approvals.pending().length;
  const running = runtime.tools.jobs.list().filter((job) => job.end() === undefined).length;
  const problems = runtime.workspace.diagnostics().filter((each) => each.level !== 'info').length;
  return [
    row(vscode.l10n.t('Folders'), runtime.workspace.folders().map(escapeMarkdown).join(', ') || none),
    row(vscode.l10n.t('Plugins'), escapeMarkdown(loaded.map((plugin) => plugin.id).join(', ')) || none),
    row(
      vscode.l10n.t('Approvals'),
      `${modeTexts(runtime.approvals.limits().mode).label}, ${vscode.l10n.t('waiting: {0}', waiting)}`,
    ),
    row(
      vscode.l10n.t('Commands'),
      `${commandPlace(runtime, session)}, ${vscode.l10n.t('running: {0}', running)}`,
    ),
    row(vscode.l10n.t('Problems'), String(problems)),
  ];
}

function links({ id: sessionId }: Session): readonly string[] {
  return [
    commandLink(vscode.l10n.t('Show prompt'), 'pincer.prompt.show', { sessionId }),
    commandLink(vscode.l10n.t('Compact'), 'pincer.sessions.compact', { sessionId }),
    commandLink(vscode.l10n.t('Waiting messages'), 'pincer.waiting.show'),
  ];
}

/** Only what the config says can be edited. */
function priceLink(runtime: Pick<Runtime, 'models'>, { provider, model }: ModelRef): readonly string[] {
  const isOurs = runtime.models
    .configured()
    .some((each) => each.provider === provider && each.model === model);
  const target = { model: `${provider}/${model}` };
  return isOurs ? [commandLink(vscode.l10n.t('Edit price'), 'pincer.models.editPrice', target)] : [];
}

function commandPlace(runtime: Pick<Runtime, 'tools'>, session: Session): string {
  const hidden = runtime.tools
    .catalogFor(session)
    .hidden()
    .find(({ name }) => name === 'exec');
  if (hidden !== undefined) return escapeMarkdown(vscode.l10n.t('nowhere: {0}', hidden.reason));
  const place = runtime.tools.commandPlace();
  if (place === 'local') return vscode.l10n.t('on this machine');
  if (place === 'sandbox') return vscode.l10n.t('in the sandbox');
  return escapeMarkdown(vscode.l10n.t('nowhere: {0}', place.unavailable));
}

function row(title: string, text: string): string {
  return `- ${title}: ${text}`;
}
