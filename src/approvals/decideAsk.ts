import { plural } from '../base/text.ts';
import type { ApprovalAsk, ApprovalSeverity } from '../contracts/approval.ts';
import type { FileEdit, ToolEffect } from '../contracts/tool.ts';
import { countLineChanges, toLines } from './countLineChanges.ts';

/**
 * The user's general answer. `ask`: a person decides. `deny`: what would be asked is denied. `allow`: ordinary edits,
 * commands and connections need no question; protected paths and plugins still ask (rulings T7).
 */
export type ApprovalMode = 'ask' | 'deny' | 'allow';

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

export interface HostPolicy {
  readonly mode: ApprovalMode;
  readonly judgePath: JudgePath;
}

interface Reason {
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
}

/**
 * The host's own question about a call, or undefined where there is none: reading in the workspace is free, edits,
 * commands and connections ask, protected paths ask in every mode and with severity `critical`. Pure.
 */
export function decideAsk(effects: readonly ToolEffect[], policy: HostPolicy): ApprovalAsk | undefined {
  const reasons = effects
    .map((effect) => reasonOf(effect, policy.judgePath))
    .filter((reason) => reason !== undefined)
    .filter((reason) => policy.mode !== 'allow' || reason.severity === 'critical')
    .sort((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
  const [first, ...others] = reasons;
  if (first === undefined) return undefined;
  return {
    asker: 'host',
    title: others.length === 0 ? first.title : `${first.title} and ${others.length} more`,
    description: [
      first.description,
      ...others.map(({ title, description }) => `${title}: ${description}`),
    ].join('; '),
    severity: first.severity,
  };
}

function reasonOf(effect: ToolEffect, judgePath: JudgePath): Reason | undefined {
  switch (effect.kind) {
    case 'read': {
      const { label, protection } = judgePath(effect.path, 'read');
      if (protection === undefined) return undefined;
      return { title: `Read ${label}`, description: protection, severity: 'critical' };
    }
    case 'edit': {
      const { protection } = judgePath(effect.edit.path, 'write');
      const size = describeEdit(effect.edit);
      return {
        title: `Write ${effect.edit.label}`,
        description: protection === undefined ? size : `${protection}; ${size}`,
        severity: protection === undefined ? 'warning' : 'critical',
      };
    }
    case 'execute':
      return { title: 'Run a command', description: effect.command, severity: 'warning' };
    case 'network':
      return {
        title: `Connect to ${effect.host}`,
        description: 'sends data over the network',
        severity: 'warning',
      };
  }
}

/** `new file, 12 lines`, `deleted, 12 lines` or `+3 −1 lines`. */
export function describeEdit(edit: FileEdit): string {
  const { before, after } = edit;
  if (before === null) return `new file, ${plural(toLines(after ?? '').length, 'line')}`;
  if (after === null) return `deleted, ${plural(toLines(before).length, 'line')}`;
  const { added, removed } = countLineChanges(before, after);
  return `+${added} −${removed} ${added + removed === 1 ? 'line' : 'lines'}`;
}
