import * as vscode from 'vscode';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { modelIdOf } from '../models/modelIds.ts';
import { compactionLine, compactionText } from '../sessions/compactFlow.ts';
import { findAgent } from './chooseSession.ts';
import { modelOfTurn, type ChosenModel } from './modelOfTurn.ts';
import { planSetting, settingNames, type SettingName } from './planSetting.ts';
import { rowsUnder } from './rowsUnder.ts';
import type { SlashContext } from './slashCommand.ts';
import { settingLines } from './statusTexts.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';
import { showProgress } from './showProgress.ts';

/** `/compact [what to keep]`. */
export async function compact(context: SlashContext): Promise<'answer'> {
  const { runtime, session, previous, stream, prompt, signal } = context;
  if (previous === undefined) {
    stream.markdown(vscode.l10n.t('Nothing was said in this chat yet.'));
    return 'answer';
  }
  showProgress(stream, vscode.l10n.t('Compacting the conversation'));
  const keep = prompt.trim();
  const result = await runtime.conversations.compact(session, signal, ...(keep === '' ? [] : [keep]));
  showNext(context);
  stream.markdown(
    trustedMarkdown(
      result.status === 'compacted'
        ? `$(fold) ${compactionLine(session.id, result.entry)}`
        : escapeMarkdown(compactionText(result)),
    ),
  );
  return 'answer';
}

/** The status bar names the model that answers next in this session, and how full its window is. */
function showNext({ runtime, session, last, picked }: SlashContext): ChosenModel {
  const chosen = modelOfTurn(runtime, session, picked);
  const { info } = chosen.model;
  const use = runtime.conversations.use(session, info);
  last.set({ sessionId: session.id, model: info, source: chosen.source, use });
  return chosen;
}

/** `/agent [id]`: who there is, or a new conversation with one of them. */
export function agent({ runtime, session, stream, prompt }: SlashContext): 'answer' {
  const said = prompt.trim();
  const found = said === '' ? undefined : findAgent(runtime, said);
  if (found !== undefined) {
    stream.markdown(
      vscode.l10n.t(
        'A new session with {0}. Nothing said above is sent to a model again.',
        `**${escapeMarkdown(inertLine(found.name, 60))}**`,
      ),
    );
    return 'answer';
  }
  const rows = runtime.conversations.agents().map(({ id, name, description }) => {
    const now = id === session.agentId ? ` (${vscode.l10n.t('this chat')})` : '';
    const more = description === '' ? '' : `: ${escapeMarkdown(inertLine(description, 200))}`;
    return `- \`${id}\` ${name === id ? '' : escapeMarkdown(inertLine(name, 60))}${now}${more}`;
  });
  const unknown = vscode.l10n.t('There is no agent “{0}”.', escapeMarkdown(inertLine(said, 60)));
  stream.markdown(
    [
      ...(said === '' ? [] : [unknown]),
      ...rowsUnder(vscode.l10n.t('Agents ({0})', rows.length), rows),
      vscode.l10n.t('`/agent ID` starts a session with one of them. Add more in the config, under `agents`.'),
    ].join('\n\n'),
  );
  return 'answer';
}

const takesBack = new Set(['default', 'auto', 'reset']);

/** `/model [name]`: which there are, or the one for this session. */
export async function model(context: SlashContext): Promise<'answer'> {
  const { runtime, session, stream, prompt } = context;
  const said = prompt.trim();
  if (said === '') {
    stream.markdown(listModels(context));
    return 'answer';
  }
  const found = takesBack.has(said.toLowerCase()) ? undefined : runtime.models.find(said);
  if (found === undefined && !takesBack.has(said.toLowerCase())) {
    const names = runtime.models.list().map(({ info }) => modelIdOf(info));
    const nearest = nearestFirst(said, names)
      .slice(0, 3)
      .map((name) => `\`${inertLine(name, 80)}\``);
    stream.markdown(
      [
        vscode.l10n.t('There is no model “{0}”.', escapeMarkdown(inertLine(said, 80))),
        ...(nearest.length === 0 ? [] : [vscode.l10n.t('Did you mean {0}?', nearest.join(', '))]),
      ].join(' '),
    );
    return 'answer';
  }
  await runtime.conversations.setSettings(session, {
    model: found === undefined ? undefined : modelIdOf(found.info),
  });
  const chosen = showNext(context);
  const name = escapeMarkdown(inertLine(chosen.model.info.name, 80));
  const isOverruled = chosen.source === 'picker';
  stream.markdown(
    isOverruled
      ? vscode.l10n.t(
          'Set for this session, but the model picker below overrides it with {0}. Choose “Auto (Pincer)” there.',
          name,
        )
      : vscode.l10n.t('This session now uses {0}.', `**${name}**`),
  );
  return 'answer';
}

function listModels({ runtime, session, picked }: SlashContext): string {
  const now = modelIdOf(modelOfTurn(runtime, session, picked).model.info);
  const rows = runtime.models.list().map(({ info }) => {
    const id = modelIdOf(info);
    const mark = id === now ? ` (${vscode.l10n.t('answers now')})` : '';
    return `- \`${inertLine(id, 120)}\` ${escapeMarkdown(inertLine(info.name, 80))}${mark}`;
  });
  return [
    ...rowsUnder(vscode.l10n.t('Models ({0})', rows.length), rows),
    vscode.l10n.t('`/model PROVIDER/MODEL` chooses one for this session, `/model default` undoes that.'),
  ].join('\n\n');
}

/** `/set temperature|thinking|maxTokens VALUE`. */
export async function set({ runtime, session, stream, prompt }: SlashContext): Promise<'answer'> {
  const plan = planSetting(prompt);
  switch (plan.kind) {
    case 'change':
      await runtime.conversations.setSettings(session, plan.change);
      stream.markdown(settingLines(runtime, session).join('\n'));
      break;
    case 'tell':
      stream.markdown(
        [
          settingLines(runtime, session).join('\n'),
          vscode.l10n.t('`/set NAME VALUE` changes one for this session, `/set NAME default` undoes that.'),
        ].join('\n\n'),
      );
      break;
    case 'unknown':
      stream.markdown(
        vscode.l10n.t(
          'There is no setting “{0}”. There are {1}.',
          escapeMarkdown(inertLine(plan.name, 40)),
          settingNames.map((name) => `\`${name}\``).join(', '),
        ),
      );
      break;
    case 'invalid':
      stream.markdown(invalidText(plan.name));
      break;
  }
  return 'answer';
}

function invalidText(name: SettingName): string {
  switch (name) {
    case 'temperature':
      return vscode.l10n.t('Enter a number from 0 to 2: `/set temperature 0.3`.');
    case 'thinking':
      return vscode.l10n.t(
        'Enter `off`, `minimal`, `low`, `medium`, `high` or `xhigh`: `/set thinking high`.',
      );
    case 'maxTokens':
      return vscode.l10n.t('Enter how many tokens an answer may have: `/set maxTokens 4000`.');
  }
}

/** `/stop`: ends the turn of this session that another chat, or a started agent, runs. */
export function stop({ runtime, session, stream }: SlashContext): 'answer' {
  const isStopped = runtime.conversations.stopTurn(session.id);
  const more = runtime.conversations.runningTurns().length;
  stream.markdown(
    isStopped ? vscode.l10n.t('Stopped.') : vscode.l10n.t('No turn of this session is running.'),
  );
  if (!isStopped && more > 0)
    stream.markdown(
      trustedMarkdown(`\n\n${commandLink(vscode.l10n.t('Stop another turn'), 'pincer.turn.stop')}`),
    );
  return 'answer';
}
