import type { ApprovalGrant } from '../contracts/approval.ts';

/** What is about to be asked. */
export interface GrantQuery {
  readonly toolName: string;
  readonly asker: string;
  /** The file, command or host itself, or `*` where the tool has no target. */
  readonly target: string;
  readonly workspace: string;
  /** On whose behalf the call runs; absent, on nobody's. */
  readonly tenantId?: string;
}

/** True where the user has answered this before with "always": same tool, asker, workspace and tenant, target covered. Pure. */
export function grantMatches(grant: ApprovalGrant, query: GrantQuery): boolean {
  return (
    grant.toolName === query.toolName &&
    grant.asker === query.asker &&
    grant.workspace === query.workspace &&
    grant.tenantId === query.tenantId &&
    covers(grant.target, query.target)
  );
}

/** Three forms and no others, so that nobody has to guess what a grant covers: `*`, `docs/**`, and literally itself. */
function covers(pattern: string, target: string): boolean {
  if (pattern === '*' || pattern === target) return true;
  return target !== '*' && pattern.endsWith('/**') && target.startsWith(pattern.slice(0, -2));
}

/** True where a literal target would read as a pattern: such a call gets no "always". */
export function looksLikePattern(target: string): boolean {
  return target === '*' || target.endsWith('/**');
}
