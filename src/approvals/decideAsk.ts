// Threat: a call that matters runs because nobody was asked. So the rules name what is free; everything else asks, what a
// model wrote is shown with its hidden characters as codes, and what the user's deny list names can't be approved at all.
//
// Threat: somebody far away has the agent change something, or send away what it reads. So a turn that a message of a channel began reads
// and answers, whatever modes and earlier answers allow elsewhere: what may change something is refused, or, for a sender that is the
// user, asked about each time.
import { linesOf, plural } from '../base/text.ts';
import type { ApprovalAsk, ApprovalSeverity } from '../contracts/approval.ts';
import type {
  AgentTool,
  ExecuteEffect,
  FileEdit,
  MessageEffect,
  SendEffect,
  NetworkEffect,
  ServerEffect,
  ToolEffect,
} from '../contracts/tool.ts';
import { isLooser, type ApprovalMode } from './decideMode.ts';
import { countLineChanges } from './countLineChanges.ts';
import { showHiddenLine } from './showHidden.ts';

export type { ApprovalMode };

/** A path as the host rules see it. */
export interface JudgedPath {
  /** Absolute path of the workspace folder around it; undefined outside of all. */
  readonly workspace: string | undefined;
  /** Below that folder, with forward slashes. */
  readonly relative: string;
  /** As people read it. */
  readonly label: string;
  /** Why it needs approval in every mode: `git hooks run code`. */
  readonly protection?: string;
}

export type JudgePath = (path: string, op: 'read' | 'write') => JudgedPath;

interface HostPolicy {
  readonly mode: ApprovalMode;
  readonly judgePath: JudgePath;
  /** There where nobody at the machine began the turn. */
  readonly remote?: RemoteCall | undefined;
}

/** What holds for the calls of a turn that nobody at the machine began. */
export interface RemotePolicy {
  /** `read`: what may change something is refused. `ask`: it is asked about, and answered once at a time. */
  readonly kind: 'read' | 'ask';
  /** Who began the turn: `a sender on Telegram`. */
  readonly who: string;
}

interface RemoteCall {
  readonly policy: RemotePolicy;
  readonly tool: Pick<AgentTool, 'name' | 'mayWrite'>;
}

/** What the host's own rules say of a call. A refusal holds in every mode, and nobody can approve it. */
export type HostVerdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'ask'; readonly ask: ApprovalAsk }
  | { readonly kind: 'refused'; readonly reason: string };

interface Reason {
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  /** The strictest mode that needs no question; undefined where every mode asks. */
  readonly freeFrom?: ApprovalMode;
}

/**
 * The host's verdict about a call: reading in the workspace, allow-listed commands and allowed hosts are free; edits, other
 * commands and connections ask as far as the mode wants; protected places ask in every mode and with severity `critical`. The
 * modes below `ask` ask about the same; the broker answers there. Pure.
 */
export function decideAsk(
  effects: readonly ToolEffect[],
  { mode, judgePath, remote }: HostPolicy,
): HostVerdict {
  if (remote === undefined) return decideByEffects(effects, mode, judgePath);
  return decideForRemote(remote, decideByEffects(effects, 'ask', judgePath));
}

function decideByEffects(
  effects: readonly ToolEffect[],
  mode: ApprovalMode,
  judgePath: JudgePath,
): HostVerdict {
  const denied = effects.find((effect) => effect.kind === 'execute' && effect.verdict === 'denied');
  if (denied?.kind === 'execute') return { kind: 'refused', reason: denied.reason };
  const reasons = effects
    .map((effect) => reasonOf(effect, judgePath))
    .filter((reason) => reason !== undefined)
    .filter(({ freeFrom }) => freeFrom === undefined || isLooser(freeFrom, mode))
    .sort((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
  const [first, ...others] = reasons;
  if (first === undefined) return { kind: 'free' };
  const ask: ApprovalAsk = {
    asker: 'host',
    title: others.length === 0 ? first.title : `${first.title} and ${others.length} more`,
    description: [
      first.description,
      ...others.map(({ title, description }) => `${title}: ${description}`),
    ].join(' · '),
    severity: first.severity,
  };
  return { kind: 'ask', ask };
}

/** Why a call is refused before anything else is asked; the model reads it. Pure. */
export function refusedForRemote({ policy, tool }: RemoteCall): string | undefined {
  if (policy.kind !== 'read' || !tool.mayWrite) return undefined;
  return `${policy.who} began this turn, and such turns read and answer. "${tool.name}" may change something, so it is not run. The owner of the workspace can do it there`;
}

function decideForRemote({ policy: { kind, who }, tool }: RemoteCall, verdict: HostVerdict): HostVerdict {
  if (verdict.kind === 'refused') return verdict;
  if (kind === 'read')
    return verdict.kind === 'free'
      ? verdict
      : {
          kind: 'refused',
          reason: `${who} began this turn, and nobody is asked for them: ${verdict.ask.title}`,
        };
  if (verdict.kind === 'free' && !tool.mayWrite) return verdict;
  const { title, description } =
    verdict.kind === 'ask'
      ? verdict.ask
      : { title: `Call ${tool.name}`, description: 'it may change something' };
  // Critical: no mode, no earlier answer and no "always" counts for it.
  const ask: ApprovalAsk = {
    asker: 'host',
    title,
    description: `${who} asked for it: ${description}`,
    severity: 'critical',
  };
  return { kind: 'ask', ask };
}

function reasonOf(effect: ToolEffect, judgePath: JudgePath): Reason | undefined {
  switch (effect.kind) {
    case 'read': {
      const { label, protection } = judgePath(effect.path, 'read');
      if (protection === undefined) return undefined;
      return { title: `Read ${showHiddenLine(label)}`, description: protection, severity: 'critical' };
    }
    case 'edit': {
      const { protection } = judgePath(effect.edit.path, 'write');
      const title = `Write ${showHiddenLine(effect.edit.label)}`;
      const size = describeEdit(effect.edit);
      return protection === undefined
        ? { title, description: size, severity: 'warning', freeFrom: 'auto' }
        : { title, description: `${protection}; ${size}`, severity: 'critical' };
    }
    case 'execute':
      return reasonOfCommand(effect, judgePath);
    case 'network':
      return reasonOfConnection(effect);
    case 'message':
      return reasonOfMessage(effect);
    case 'send':
      return reasonOfSending(effect);
    case 'server':
      return reasonOfServerCall(effect);
    case 'schedule':
      return {
        title: showHiddenLine(effect.title),
        description: showHiddenLine(effect.description),
        severity: 'warning',
        ...(effect.isAlwaysAsked === true ? {} : { freeFrom: 'full' as const }),
      };
    case 'gateway':
      return {
        title: showHiddenLine(effect.title),
        description: showHiddenLine(effect.description),
        severity: 'warning',
      };
  }
}

/** The title holds where it runs: nothing that the command itself says can pass for that. */
function reasonOfCommand(
  { command, workdir, host, verdict, reason, isAlwaysAsked }: ExecuteEffect,
  judgePath: JudgePath,
): Reason | undefined {
  const { label, protection } = judgePath(workdir, 'write');
  if (verdict === 'allowed' && protection === undefined) return undefined;
  const where = label === '' || label === '.' ? '' : `, in ${showHiddenLine(label)}`;
  const title = `${host === 'sandbox' ? 'Run a command in the sandbox' : 'Run a command'}${where}`;
  // The reason first: of a long command the end may be cut.
  const description = `${reason} · ${showHiddenLine(command)}`;
  if (protection !== undefined)
    return { title, description: `${protection}: ${description}`, severity: 'critical' };
  const severity = host === 'sandbox' ? 'info' : 'warning';
  return isAlwaysAsked === true
    ? { title, description, severity }
    : { title, description, severity, freeFrom: 'full' };
}

/** Text that is not the user's may have asked for a connection, in order to send away what the session knows. */
function reasonOfConnection({ host, url, isAllowed, isTainted }: NetworkEffect): Reason | undefined {
  if (isAllowed) return undefined;
  const title = `Connect to ${showHiddenLine(host)}`;
  const address = showHiddenLine(url);
  return isTainted
    ? {
        title,
        description: `this conversation holds text that is not yours, which may have asked for it: ${address}`,
        severity: 'warning',
        freeFrom: 'full',
      }
    : {
        title,
        description: `a host you have not allowed: ${address}`,
        severity: 'warning',
        freeFrom: 'auto',
      };
}

/** Another agent will act on it with its own tools, as if the user's side had spoken. */
function reasonOfMessage({ to, text }: MessageEffect): Reason {
  return {
    title: `Send to the session "${showHiddenLine(to)}"`,
    description: `another agent acts on it: ${showHiddenLine(text)}`,
    severity: 'warning',
    freeFrom: 'full',
  };
}

/** It can't be taken back, and whoever gets it is not here. */
function reasonOfSending({ channel, accountId, to, thread, text, file }: SendEffect): Reason {
  const where = thread === undefined ? '' : `, thread ${showHiddenLine(thread)}`;
  const added = file === undefined ? '' : `, with the file ${showHiddenLine(file)}`;
  return {
    title: `Send by ${showHiddenLine(channel)} to ${showHiddenLine(to)}${where}${added}`,
    description: `by the account ${showHiddenLine(accountId)}: ${showHiddenLine(text)}`,
    severity: 'warning',
    freeFrom: 'full',
  };
}

/** Nobody here knows what it does. What the server says of its tool can only make the question graver. */
function reasonOfServerCall({ server, tool, text, isDestructive }: ServerEffect): Reason {
  const title = `Call ${showHiddenLine(tool)} of the MCP server ${showHiddenLine(server)}`;
  const args = showHiddenLine(text);
  return isDestructive
    ? { title, description: `the server says that this may destroy something: ${args}`, severity: 'critical' }
    : { title, description: args, severity: 'warning', freeFrom: 'full' };
}

/** `new file, 12 lines`, `deleted, 12 lines` or `+3 −1 lines`. */
export function describeEdit(edit: FileEdit): string {
  const { before, after } = edit;
  if (before === null) return `new file, ${plural(linesOf(after ?? '').length, 'line')}`;
  if (after === null) return `deleted, ${plural(linesOf(before).length, 'line')}`;
  const { added, removed } = countLineChanges(before, after);
  return `+${added} −${removed} ${added + removed === 1 ? 'line' : 'lines'}`;
}
