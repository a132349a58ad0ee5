import { PincerError } from '../base/errors.ts';
import type { ApprovalDecision } from '../contracts/approval.ts';

export function approvalUnknown(id: string): PincerError {
  return new PincerError('approval_unknown', `No approval has the id '${id}'.`, {
    hint: 'Open the Approvals view for the ones that wait.',
  });
}

export function approvalAmbiguous(prefix: string, ids: readonly string[]): PincerError {
  return new PincerError('approval_ambiguous', `'${prefix}' could mean ${ids.join(' or ')}.`, {
    hint: 'Give more characters of the id.',
  });
}

/** The text is upstream's. */
export function approvalAlreadyResolved(id: string): PincerError {
  return new PincerError('approval_already_resolved', `approval id '${id}' already resolved`);
}

export function approvalDecisionNotOffered(
  decision: string,
  offered: readonly ApprovalDecision[],
): PincerError {
  return new PincerError('approval_decision_not_offered', `This approval does not offer '${decision}'.`, {
    hint: `Answer with ${offered.join(', ')}.`,
  });
}

export function grantUnknown(id: string): PincerError {
  return new PincerError('grant_unknown', `No remembered approval has the id '${id}'.`);
}
