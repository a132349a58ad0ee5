import type { ToolEffect } from '../contracts/tool.ts';
import { looksLikePattern } from './grantMatches.ts';
import type { JudgePath } from './decideAsk.ts';

/** What an "always" would cover. */
export interface GrantScope {
  /** Absolute path of the workspace folder; empty where no folder is open. */
  readonly workspace: string;
  /** The file, command or host itself; `*` where the tool has none. */
  readonly target: string;
  /** As the user reads it: `write docs/a.md`. */
  readonly label: string;
}

/**
 * The narrowest "always" for a call: exactly its one file, command or host. Undefined where it touches several, so that
 * no always is offered. A tool that names no target (most plugin tools) is covered with any parameters, and says so. Pure.
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
    return { workspace: firstFolder, target: '*', label: `${toolName} with any parameters` };
  }
  if (first === undefined) return undefined;
  const same = scopes.every((each) => each?.target === first.target && each.workspace === first.workspace);
  return same ? first : undefined;
}

function scopeOf(
  toolName: string,
  effect: ToolEffect,
  firstFolder: string,
  judgePath: JudgePath,
): GrantScope | undefined {
  const { workspace, target } = targetOf(effect, firstFolder, judgePath);
  if (workspace === undefined || looksLikePattern(target)) return undefined;
  return { workspace, target, label: `${toolName} ${target}` };
}

function targetOf(
  effect: ToolEffect,
  firstFolder: string,
  judgePath: JudgePath,
): { readonly workspace: string | undefined; readonly target: string } {
  switch (effect.kind) {
    case 'execute':
      return { workspace: firstFolder, target: effect.command };
    case 'network':
      return { workspace: firstFolder, target: effect.host };
    case 'read':
    case 'edit': {
      const path = effect.kind === 'read' ? effect.path : effect.edit.path;
      const { workspace, relative } = judgePath(path, effect.kind === 'read' ? 'read' : 'write');
      return { workspace, target: relative === '' ? '.' : relative };
    }
  }
}
