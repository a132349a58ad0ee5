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

/** A click that was on its way before the question stood there was meant for something else. */
export function approvalTooSoon(): PincerError {
  return new PincerError(
    'approval_too_soon',
    'The question had only just appeared, so that click did not count. It is still waiting.',
    { hint: 'Read it, then answer again.' },
  );
}

/** What is cut or hidden in the question does the harm: nobody can agree to it unseen. */
export function approvalNotShown(): PincerError {
  return new PincerError(
    'approval_not_shown',
    'This does not show the whole call, so it cannot be allowed from here. It is still waiting.',
    { hint: 'Show the whole call, then allow it.' },
  );
}

export function approvalModeFixed(): PincerError {
  return new PincerError('approval_mode_fixed', 'How approvals are answered can not be changed here.', {
    hint: 'Set approvals.mode in your config.',
  });
}

/** An answer names the surface on which a person gave it. */
export function approvalWithoutSurface(): PincerError {
  return new PincerError('approval_without_surface', 'An approval is answered by a person, on a surface.');
}

export function grantUnknown(id: string): PincerError {
  return new PincerError('grant_unknown', `No remembered approval has the id '${id}'.`);
}
