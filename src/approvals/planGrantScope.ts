import type { ExecuteEffect, SendEffect, ServerEffect, ToolEffect } from '../contracts/tool.ts';
import { looksLikePattern } from './grantMatches.ts';
import type { JudgedPath, JudgePath } from './decideAsk.ts';

/** What an "always" would cover. */
export interface GrantScope {
  /** Absolute path of the workspace folder; empty where no folder is open. */
  readonly workspace: string;
  /** The file or host itself, or a pattern for each step of the command; `*` where the tool has none. Each is remembered alone. */
  readonly targets: readonly [string, ...string[]];
  /** As the user reads it: `write docs/a.md`; where several folders are open, with the folder's name. */
  readonly label: string;
}

/**
 * The narrowest "always" for a call: exactly its one file, host, or command. Undefined where it touches several or a
 * command that no pattern covers, so that no always is offered. A tool that names no target (most plugin tools) is covered
 * with any parameters, and says so. Pure.
 */
export function planGrantScope(
  toolName: string,
  effects: readonly ToolEffect[],
  firstFolder: string,
  judgePath: JudgePath,
): GrantScope | undefined {
  const scopes = effects.map((effect) => scopeOf(toolName, effect, firstFolder, judgePath));
  const [first] = scopes;
  if (scopes.length === 0) {
    return { workspace: firstFolder, targets: ['*'], label: `${toolName} with any parameters` };
  }
  if (first === undefined) return undefined;
  return scopes.every((each) => each !== undefined && isSameScope(each, first)) ? first : undefined;
}

function isSameScope(a: GrantScope, b: GrantScope): boolean {
  return a.workspace === b.workspace && a.targets.join('\n') === b.targets.join('\n');
}

function scopeOf(
  toolName: string,
  effect: ToolEffect,
  firstFolder: string,
  judgePath: JudgePath,
): GrantScope | undefined {
  const { workspace, target, targets, shown } = targetOf(effect, firstFolder, judgePath);
  const [first, ...others] = targets ?? (target === undefined ? [] : [target]);
  if (workspace === undefined || first === undefined || [first, ...others].some(looksLikePattern))
    return undefined;
  const label = `${toolName} ${shown ?? [first, ...others].join(', ')}`;
  return { workspace, targets: [first, ...others], label };
}

interface Target {
  readonly workspace: string | undefined;
  readonly target?: string | undefined;
  /** Where there may be several. */
  readonly targets?: readonly string[];
  /** As the user reads it, where that is another thing. */
  readonly shown?: string | undefined;
}

function targetOf(effect: ToolEffect, firstFolder: string, judgePath: JudgePath): Target {
  switch (effect.kind) {
    case 'execute':
      return commandScope(effect, judgePath(effect.workdir, 'write'));
    case 'network':
      return { workspace: firstFolder, target: effect.host };
    case 'message':
      return { workspace: firstFolder, target: effect.sessionId };
    case 'send':
      return sendScope(effect, firstFolder);
    case 'server':
      return serverScope(effect, firstFolder);
    // What a job will do, and the end of others' connections, is never agreed to for good.
    case 'schedule':
    case 'gateway':
      return { workspace: undefined, target: undefined };
    case 'read':
    case 'edit': {
      const path = effect.kind === 'read' ? effect.path : effect.edit.path;
      const { workspace, relative, label } = judgePath(path, effect.kind === 'read' ? 'read' : 'write');
      return { workspace, target: relative === '' ? '.' : relative, shown: label };
    }
  }
}

/** Any words to the same person, group or thread; what file goes out is looked at each time. */
function sendScope({ channel, accountId, to, thread, file }: SendEffect, workspace: string): Target {
  const place = [channel, accountId, to, ...(thread === undefined ? [] : ['thread', thread])].join(' ');
  return { workspace, target: file === undefined ? place : undefined };
}

/** Any values of these arguments, for the very server and definition that were agreed to. */
function serverScope({ pin, shape }: ServerEffect, workspace: string): Target {
  return { workspace, target: shape === undefined ? undefined : `${pin} ${shape}`, shown: shape };
}

/** `npm test` in one folder of the workspace is not `npm test` in another. */
function commandScope(effect: ExecuteEffect, { workspace, relative, label }: JudgedPath): Target {
  const targets = commandTargets(effect);
  // Such a name could pass for the form below.
  if (targets.length === 0 || relative.includes(': ')) return { workspace };
  return {
    workspace,
    targets: targets.map((target) => inFolder(relative, target)),
    shown: inFolder(label, targets.join(', ')),
  };
}

function inFolder(folder: string, target: string): string {
  return folder === '' || folder === '.' ? target : `in ${folder}: ${target}`;
}

const sandboxPrefix = 'sandbox: ';

/** What was always allowed in the sandbox is not allowed on the user's own machine, so the two never share a target. */
function commandTargets({ patterns, host }: ExecuteEffect): readonly string[] {
  if (patterns === undefined || patterns.some((pattern) => /^(?:sandbox|in [^:]*): /u.test(pattern)))
    return [];
  return host === 'sandbox' ? patterns.map((pattern) => sandboxPrefix + pattern) : patterns;
}
