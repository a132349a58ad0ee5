import * as vscode from 'vscode';
import { diffShowsAll, partsOf, saidBy } from '../../approvals/fullCall.ts';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import type { ApprovalRecord } from '../../approvals/approvalBroker.ts';
import type { InterruptedApproval } from '../../approvals/createPendingApprovals.ts';
import { inertLine } from '../../base/text.ts';
import type { ApprovalRequest, ApprovalResolution, ApprovalSeverity } from '../../contracts/approval.ts';
import {
  askedFirst,
  approvalRowId,
  type ApprovalFact,
  type ApprovalGroup,
  type ApprovalRow,
  type EarlierAnswer,
  type RequestView,
} from './approvalRows.ts';
import {
  answerText,
  askersText,
  coveredText,
  groupText,
  requestName,
  resolutionText,
  answeredText,
  timeText,
} from './approvalTexts.ts';
import { badgeUri } from './countDown.ts';
import { shownParams } from './shownCall.ts';

// Tooltips are plain text: what plugins and models wrote can be no link there.

/** A row is this long at most; the whole call has its own editor. */
const maxValue = 200;

export function toApprovalItem(row: ApprovalRow, view: RequestView): vscode.TreeItem {
  const item = itemOf(row, view);
  item.id = approvalRowId(row);
  return item;
}

function itemOf(row: ApprovalRow, view: RequestView): vscode.TreeItem {
  switch (row.kind) {
    case 'request':
      return requestItem(row.request, view);
    case 'together':
      return togetherItem(row);
    case 'fact':
      return factItem(row.fact, row.approvalId);
    case 'group':
      return groupItem(row.group, row.children.length);
    case 'interrupted':
      return interruptedItem(row.interrupted);
    case 'grant':
      return grantItem(row);
    case 'record':
      return recordItem(row.record);
    case 'earlier':
      return earlierItem(row.answer);
  }
}

function requestItem(request: ApprovalRequest, { isShown, ticksOf }: RequestView): vscode.TreeItem {
  const { what, who } = askedFirst(request);
  const item = new vscode.TreeItem(what, vscode.TreeItemCollapsibleState.Collapsed);
  item.resourceUri = badgeUri(request.id);
  const ticks = ticksOf(request);
  const description = [ticks, calledBy(request), who, request.description]
    .filter((each) => each !== undefined)
    .join(' · ');
  item.description = description;
  const params = shownParams(request);
  const askers = askersText(request.askers);
  item.tooltip = [
    request.title,
    request.description,
    ...overviewLines(request),
    vscode.l10n.t('Tool: {0}', request.toolName),
    ...(params === undefined ? [] : [params]),
    ...(request.decisions.includes('allow-always')
      ? [vscode.l10n.t('Always covers: {0}', request.grantLabel)]
      : []),
    ...request.wider.map((scope) => coveredText(request, scope)),
    vscode.l10n.t('Asked by: {0}', askers),
    vscode.l10n.t('Denied {0}', timeText(request)),
  ].join('\n');
  item.iconPath = severityIcon(request.severity);
  const grantable = request.decisions.includes('allow-always') ? '.grantable' : '';
  const isEdit = diffShowsAll(request);
  const edit = `${request.edits.length > 0 ? '.edit' : ''}${isEdit ? '' : '.call'}`;
  const wider = request.wider.map((scope) => `.${scope}`).join('');
  item.contextValue = `approval${grantable}${edit}${wider}${isShown(request.id) ? '.shown' : '.unseen'}`;
  item.accessibilityInformation = {
    label: [
      vscode.l10n.t('Approval waiting, {0}: {1}.', severityText(request.severity), request.title),
      `${description}.`,
      vscode.l10n.t('Asked by {0}.', askers),
      vscode.l10n.t('Denied {0}.', timeText(request)),
    ].join(' '),
  };
  item.command = {
    command: isEdit ? 'pincer.approvals.showDiff' : 'pincer.approvals.showCall',
    title: isEdit ? vscode.l10n.t('Show diff') : vscode.l10n.t('Show whole call'),
    arguments: [{ approvalId: request.id }],
  };
  return item;
}

/** Two questions must not look the same: a narrow view shows what is done before why it is asked. */
function calledBy({ effects = [] }: ApprovalRequest): string | undefined {
  return effects.length === 0 ? undefined : inertLine(saidBy(effects).map(showHiddenLine).join(' '), 80);
}

/** How a command was judged, which a cut question may not say, and its parts. */
function overviewLines({ effects = [] }: ApprovalRequest): readonly string[] {
  return effects.flatMap((effect) =>
    effect.kind !== 'execute'
      ? []
      : [
          vscode.l10n.t('Reason: {0}', inertLine(showHiddenLine(effect.reason), maxValue)),
          ...partsOf(effect, maxValue).map(
            (part, at) => `${String(at + 1)}. ${inertLine(showHiddenLine(part), maxValue)}`,
          ),
        ],
  );
}

/** A click on it is the answer: it stands for what was judged and shown. */
function togetherItem(row: Extract<ApprovalRow, { kind: 'together' }>): vscode.TreeItem {
  const { requests } = row.questions;
  const label = groupText(row.questions);
  const item = new vscode.TreeItem(label);
  item.tooltip = [label, ...requests.map((request) => requestName(request))].join('\n');
  item.iconPath = new vscode.ThemeIcon('check-all');
  item.contextValue = 'together';
  item.accessibilityInformation = { label: `${label}: ${requests.map(({ title }) => title).join(', ')}` };
  item.command = { command: 'pincer.approvals.allowAll', title: label, arguments: [row] };
  return item;
}

function factItem(fact: ApprovalFact, approvalId: string): vscode.TreeItem {
  const { label, text, icon } = factTexts(fact);
  const item = new vscode.TreeItem(label);
  const shown = showHiddenLine(text);
  item.description = inertLine(shown, maxValue);
  item.tooltip = shown === '' ? label : `${label}: ${shown}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = 'fact';
  item.accessibilityInformation = { label: `${label} ${item.description}` };
  const isLong = item.description.endsWith('…') || fact.is === 'call';
  const command = fact.is === 'file' ? 'pincer.approvals.showDiff' : 'pincer.approvals.showCall';
  if (isLong || fact.is === 'file') item.command = { command, title: label, arguments: [{ approvalId }] };
  return item;
}

function factTexts(fact: ApprovalFact): {
  readonly label: string;
  readonly text: string;
  readonly icon: string;
} {
  switch (fact.is) {
    case 'tool':
      return { label: vscode.l10n.t('Tool'), text: fact.text, icon: 'tools' };
    case 'reason':
      return { label: vscode.l10n.t('Reason'), text: fact.text, icon: 'question' };
    case 'part':
      return { label: vscode.l10n.t('Part {0}', fact.number), text: fact.text, icon: 'list-ordered' };
    case 'command':
      return { label: vscode.l10n.t('Command'), text: fact.text, icon: 'terminal' };
    case 'folder':
      return { label: vscode.l10n.t('Runs in'), text: fact.text, icon: 'folder' };
    case 'address':
      return { label: vscode.l10n.t('Connects to'), text: fact.text, icon: 'globe' };
    case 'file':
      return { label: vscode.l10n.t('Changes'), text: fact.text, icon: 'file' };
    case 'param':
      return { label: inertLine(fact.name ?? '', 40), text: fact.text, icon: 'symbol-parameter' };
    case 'askers':
      return { label: vscode.l10n.t('Asked by'), text: askersText(fact.askers), icon: 'person' };
    case 'always':
      return {
        label: vscode.l10n.t('Always'),
        text: fact.covers ?? vscode.l10n.t('is not offered for this call'),
        icon: 'check-all',
      };
    case 'time':
      return { label: vscode.l10n.t('Denied'), text: timeText(fact.request), icon: 'watch' };
    case 'call':
      return { label: vscode.l10n.t('Show whole call'), text: '', icon: 'go-to-file' };
  }
}

function groupItem(group: ApprovalGroup, count: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const labels: Readonly<Record<ApprovalGroup, string>> = {
    interrupted: vscode.l10n.t('Interrupted'),
    grants: vscode.l10n.t('Always allowed'),
    history: vscode.l10n.t('History'),
  };
  const icons: Readonly<Record<ApprovalGroup, string>> = {
    interrupted: 'debug-disconnect',
    grants: 'pass',
    history: 'history',
  };
  const item = new vscode.TreeItem(labels[group], group === 'interrupted' ? Expanded : Collapsed);
  item.description = String(count);
  item.iconPath = new vscode.ThemeIcon(icons[group]);
  item.contextValue = `group.${group}`;
  item.accessibilityInformation = { label: `${labels[group]}, ${String(count)}` };
  return item;
}

function interruptedItem({ title, description, askers, createdAt }: InterruptedApproval): vscode.TreeItem {
  const item = new vscode.TreeItem(inertLine(title, 80));
  item.description = inertLine(description, maxValue);
  const when = new Date(createdAt).toLocaleString();
  item.tooltip = [
    vscode.l10n.t('The window closed before this was answered, so it was not done.'),
    vscode.l10n.t('Resume goes on with the turn; the same call is asked about again.'),
    vscode.l10n.t('Asked by: {0}', inertLine(askersText(askers), maxValue)),
    when,
  ].join('\n');
  item.iconPath = new vscode.ThemeIcon('debug-disconnect');
  item.contextValue = 'interrupted';
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Interrupted at {0}, not done: {1}. {2}',
      when,
      item.label as string,
      item.description,
    ),
  };
  return item;
}

function grantItem({ grant, isHere }: Extract<ApprovalRow, { kind: 'grant' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(
    vscode.l10n.t('Always: {0} {1}', inertLine(grant.toolName, 80), showHiddenLine(grant.target)),
  );
  const place = isHere ? vscode.l10n.t('this workspace') : grant.workspace;
  item.description = grant.asker === 'host' ? place : vscode.l10n.t('for plugin {0}', grant.asker);
  item.tooltip = [
    vscode.l10n.t('Since {0}', new Date(grant.createdAt).toLocaleString()),
    vscode.l10n.t('In {0}', grant.workspace),
    vscode.l10n.t('Revoke it and the next such call asks again.'),
  ].join('\n');
  item.iconPath = new vscode.ThemeIcon('pass');
  item.contextValue = 'grant';
  return item;
}

function recordItem(record: ApprovalRecord): vscode.TreeItem {
  const { request, resolution, by, allowed, reason, resolvedAt } = record;
  const { what, who } = askedFirst(request);
  const name = requestName({ ...request, title: what });
  const item = new vscode.TreeItem(name);
  const when = new Date(resolvedAt).toLocaleTimeString();
  const how = answeredText(answerText(record), by);
  item.description = [`${how}, ${when}`, ...(who === undefined ? [] : [who])].join(' · ');
  item.tooltip = [`${how}, ${when}`, request.title, request.description, reason].join('\n');
  item.iconPath = outcomeIcon(allowed, resolution);
  item.contextValue = resolution === 'timeout' ? 'record.timeout' : 'record';
  item.accessibilityInformation = { label: `${name}. ${item.description}` };
  item.command = {
    command: 'pincer.approvals.showCall',
    title: vscode.l10n.t('Show whole call'),
    arguments: [{ approvalId: request.id }],
  };
  return item;
}

/** Of an earlier window, as the trace of its run has it: the call itself is in the transcript. */
function earlierItem(answer: EarlierAnswer): vscode.TreeItem {
  const { title, asked, resolution, by, resolvedAt, isAllowed, toolName } = answer;
  const { runId, toolCallId, sessionId } = answer;
  const name = inertLine(asked === undefined ? title : `${title}: ${asked}`, maxValue);
  const item = new vscode.TreeItem(name);
  const when = new Date(resolvedAt).toLocaleString();
  const how = isResolution(resolution) ? resolutionText(resolution) : inertLine(resolution, 40);
  item.description = `${answeredText(how, inertLine(by, 40))}, ${when}`;
  item.tooltip = [item.description, name, vscode.l10n.t('Tool: {0}', inertLine(toolName, 80))].join('\n');
  item.iconPath = outcomeIcon(isAllowed, resolution);
  item.contextValue = 'earlier';
  item.accessibilityInformation = { label: `${name}. ${item.description}` };
  if (sessionId !== undefined) {
    item.command = {
      command: 'pincer.runs.showCall',
      title: vscode.l10n.t('Show whole call'),
      arguments: [{ sessionId, runId, toolCallId }],
    };
  }
  return item;
}

/** What was decided, by form and colour: a narrow row cuts the words. */
function outcomeIcon(isAllowed: boolean, resolution: string): vscode.ThemeIcon {
  if (isAllowed) return new vscode.ThemeIcon('check', new vscode.ThemeColor('testing.iconPassed'));
  if (resolution === 'deny') return new vscode.ThemeIcon('x', new vscode.ThemeColor('testing.iconFailed'));
  return new vscode.ThemeIcon(resolution === 'timeout' ? 'watch' : 'circle-slash');
}

const resolutions: readonly string[] = [
  'allow-once',
  'allow-always',
  'deny',
  'timeout',
  'cancelled',
] satisfies readonly ApprovalResolution[];

function isResolution(text: string): text is ApprovalResolution {
  return resolutions.includes(text);
}

function severityIcon(severity: ApprovalSeverity): vscode.ThemeIcon {
  switch (severity) {
    case 'info':
      return new vscode.ThemeIcon('info');
    case 'warning':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'critical':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
}

function severityText(severity: ApprovalSeverity): string {
  switch (severity) {
    case 'info':
      return vscode.l10n.t('information');
    case 'warning':
      return vscode.l10n.t('warning');
    case 'critical':
      return vscode.l10n.t('critical');
  }
}
