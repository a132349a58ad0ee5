// Threat: an id that is empty, or that only looks like another one, puts one tenant into the place of another or of nobody. An
// empty id mostly means that whoever asked could not be told: that is an error, and never "no tenant".
import { hasHiddenCharacters } from '../../base/text.ts';
import { tenantInvalid } from './tenantErrors.ts';
import type { Tenant } from '../../contracts/tenant.ts';

const maxLength = 200;

/**
 * A tenant as it may be used: a frozen copy with nothing but its two ids. Ids are compared letter by letter. Pure.
 * @throws PincerError `tenant_invalid`
 */
export function checkTenant(given: Tenant): Tenant {
  const { tenantId, userId } = given;
  return Object.freeze({
    ...(tenantId === undefined ? {} : { tenantId: checkId('tenantId', tenantId) }),
    ...(userId === undefined ? {} : { userId: checkId('userId', userId) }),
  });
}

/** Callers of a library may be JavaScript: the type is no proof. */
function checkId(field: 'tenantId' | 'userId', id: unknown): string {
  if (typeof id !== 'string') throw tenantInvalid(field, 'is no text');
  if (id.trim() === '') throw tenantInvalid(field, 'is empty');
  if (id.length > maxLength) throw tenantInvalid(field, `is longer than ${String(maxLength)} characters`);
  if (id !== id.trim() || /[\t\r\n]/u.test(id) || hasHiddenCharacters(id) || /\p{Surrogate}/u.test(id))
    throw tenantInvalid(field, 'holds characters that are not seen');
  return id;
}
