import { describe, expect, it } from 'vitest';
import { resolveTenant, type TenantSources } from './resolveTenant.ts';

const explicit = { tenantId: 'a', userId: 'explicit' };
const current = { tenantId: 'a', userId: 'current' };
const session = { tenant: { tenantId: 'a', userId: 'session' }, isNew: false };
const config = { tenantId: 'a', userId: 'config' };
const mismatch = expect.objectContaining({ code: 'tenant_mismatch' }) as Error;

describe('on whose behalf a turn runs', () => {
  it.each<[string, TenantSources]>([
    ['explicit', { explicit, current, session, config }],
    ['current', { current, session, config }],
    ['session', { session, config }],
    ['config', { config }],
  ])('the first of parameter, async context, session and config that says it: %s', (userId, sources) => {
    expect(resolveTenant(sources)).toEqual({ tenantId: 'a', userId });
  });

  it('is nobody where nobody says it', () => {
    expect(resolveTenant({})).toBeUndefined();
    expect(resolveTenant({ explicit: {}, session: { isNew: false } })).toBeUndefined();
  });

  it('takes no user of another tenant', () => {
    expect(resolveTenant({ explicit: { tenantId: 'b' }, config })).toEqual({ tenantId: 'b' });
    expect(resolveTenant({ explicit: { tenantId: 'b' }, config: { userId: 'u' } })).toEqual({
      tenantId: 'b',
    });
  });

  it('takes the user of a caller that leaves the tenant to the session', () => {
    expect(resolveTenant({ explicit: { userId: 'u' }, session })).toEqual({ tenantId: 'a', userId: 'u' });
  });

  it.each<[string, TenantSources]>([
    ['another tenant says so itself', { explicit: { tenantId: 'b' }, session }],
    ['another tenant runs', { current: { tenantId: 'b' }, session }],
    [
      'another tenant has said nothing in it yet',
      { explicit: { tenantId: 'b' }, session: { ...session, isNew: true } },
    ],
    ['it belongs to none', { explicit, session: { isNew: false } }],
    ['it belongs to none, and the config names a tenant', { config, session: { isNew: false } }],
  ])('refuses a session where %s', (_, sources) => {
    expect(() => resolveTenant(sources)).toThrow(mismatch);
  });

  it('takes a session of nobody in which nothing was stored yet', () => {
    expect(resolveTenant({ explicit, session: { isNew: true } })).toEqual(explicit);
  });

  it('names no tenant in its refusal', () => {
    const refused = (): unknown => resolveTenant({ explicit: { tenantId: 'beta-corp' }, session });
    expect(refused).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('beta') as string }) as Error,
    );
  });
});
