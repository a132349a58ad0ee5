import { PincerError } from '../../base/errors.ts';

/** The texts name no tenant: whoever asks may not know of the other one. */
export function tenantMismatch(): PincerError {
  return new PincerError('tenant_mismatch', 'This session belongs to another tenant, or to none.', {
    hint: 'Start a new session, or name the tenant that the session belongs to.',
  });
}

export function tenantInvalid(field: 'tenantId' | 'userId', why: string): PincerError {
  return new PincerError('tenant_invalid', `The ${field} ${why}.`, {
    hint: 'It takes 1 to 200 characters that can be seen. Leave it out where there is none.',
  });
}
